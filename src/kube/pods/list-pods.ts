import type { PodRef } from '../../model/pod.ts';
import type { Scope } from '../../model/scope.ts';
import type { ListPart } from '../../ports.ts';
import type { ListTransport } from '../http/transport.ts';
import { podsPath } from '../paths.ts';
import { asAsked } from './as-asked.ts';
import { Given } from './given.ts';
import { listPages } from './pages.ts';

/** Lists the pods of a scope page by page, one namespace after another. */
export async function* listPods(
  transport: ListTransport,
  scope: Scope,
  abort: AbortSignal,
  isWanted?: (pod: PodRef) => boolean,
): AsyncIterable<ListPart> {
  const namespaces = scope.namespaces.length > 0 ? scope.namespaces : [undefined];
  for (const namespace of namespaces) {
    yield* pagesOf(transport, { namespace, scope, isWanted }, new Given(), abort);
  }
}

interface Asked {
  readonly namespace: string | undefined;
  readonly scope: Scope;
  readonly isWanted?: ((pod: PodRef) => boolean) | undefined;
}

/** The pages of one namespace, or what is left of them, without what has been given before. */
export async function* pagesOf(
  transport: ListTransport,
  { namespace, scope, isWanted }: Asked,
  given: Given,
  abort: AbortSignal,
  from?: string,
): AsyncIterable<ListPart> {
  const list = { path: podsPath(namespace), selectors: selectorsOf(scope), isWanted };
  for await (const page of listPages(transport, list, abort, from)) {
    switch (page.kind) {
      case 'Failed':
        yield { kind: 'Failed', namespace, problem: page.problem };
        break;
      case 'Expired':
        given.beginAgain();
        yield { kind: 'Inconsistent' };
        break;
      case 'Page': {
        const asked = asAsked({ ...page, atWork: [] }, namespace, scope);
        yield { kind: 'Page', ...given.fresh(asked), asOf: page.asOf };
        break;
      }
    }
  }
}

/** With these, the server leaves out the pods of Deployments, DaemonSets and StatefulSets, and ended ones. */
export function selectorsOf({
  includePending,
  labelSelector,
  excludeNamespaces = [],
}: Scope): Readonly<Record<string, string>> {
  const phase = includePending ? 'status.phase!=Succeeded,status.phase!=Failed' : 'status.phase=Running';
  const excluded = excludeNamespaces.map((name) => `,metadata.namespace!=${name}`).join('');
  return {
    fieldSelector: `${phase},spec.restartPolicy!=Always${excluded}`,
    ...(labelSelector !== undefined && { labelSelector }),
  };
}
