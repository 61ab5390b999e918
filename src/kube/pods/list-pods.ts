import type { ListPart } from '../../ports.ts';
import type { Scope } from '../../vocabulary.ts';
import type { ListTransport } from '../http/transport.ts';
import { podsPath } from '../paths.ts';
import { listPages } from './pages.ts';

/** Lists the pods of a scope page by page, one namespace after another. */
export async function* listPods(
  transport: ListTransport,
  scope: Scope,
  abort: AbortSignal,
): AsyncIterable<ListPart> {
  const namespaces = scope.namespaces.length > 0 ? scope.namespaces : [undefined];
  for (const namespace of namespaces) yield* listNamespace(transport, namespace, scope, abort);
}

async function* listNamespace(
  transport: ListTransport,
  namespace: string | undefined,
  scope: Scope,
  abort: AbortSignal,
): AsyncIterable<ListPart> {
  const seen = new Set<string>();
  for await (const page of listPages(transport, podsPath(namespace), selectorsOf(scope), abort)) {
    switch (page.kind) {
      case 'Failed':
        yield { kind: 'Failed', namespace, problem: page.problem };
        break;
      case 'Expired':
        yield { kind: 'Inconsistent' };
        break;
      case 'Page': {
        // After an expired token, the list may repeat pods.
        const fresh = page.pods.filter(({ ref }) => !seen.has(ref.uid));
        for (const { ref } of fresh) seen.add(ref.uid);
        yield { kind: 'Page', pods: fresh, malformed: page.malformed, asOf: page.asOf };
        break;
      }
    }
  }
}

/** With these, the server leaves out the pods of Deployments, DaemonSets and StatefulSets, and ended ones. */
function selectorsOf({ includePending, labelSelector }: Scope): Readonly<Record<string, string>> {
  const phase = includePending ? 'status.phase!=Succeeded,status.phase!=Failed' : 'status.phase=Running';
  return {
    fieldSelector: `${phase},spec.restartPolicy!=Always`,
    ...(labelSelector !== undefined && { labelSelector }),
  };
}
