import type { ListPart } from '../ports.ts';
import { printable } from '../printable.ts';
import type { MalformedPod, PodView, Scope } from '../vocabulary.ts';
import { record, text } from './json.ts';
import { narrowPod } from './narrow.ts';
import { listPages } from './pages.ts';
import { podsPath } from './paths.ts';
import type { Transport } from './transport.ts';

/** Lists the pods of a scope page by page, one namespace after another. */
export async function* listPods(
  transport: Pick<Transport, 'get'>,
  scope: Scope,
  abort: AbortSignal,
): AsyncIterable<ListPart> {
  const namespaces = scope.namespaces.length > 0 ? scope.namespaces : [undefined];
  for (const namespace of namespaces) yield* listNamespace(transport, namespace, scope, abort);
}

async function* listNamespace(
  transport: Pick<Transport, 'get'>,
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
        const { pods, malformed } = narrowItems(page.items);
        // After an expired token, the list may repeat pods.
        const fresh = pods.filter(({ ref }) => !seen.has(ref.uid));
        for (const { ref } of fresh) seen.add(ref.uid);
        yield { kind: 'Page', pods: fresh, malformed, asOf: page.asOf };
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

function narrowItems(items: readonly unknown[]) {
  const pods: PodView[] = [];
  const malformed: MalformedPod[] = [];
  for (const item of items) {
    const pod = narrowPod(item);
    if ('problem' in pod) malformed.push({ ...nameOf(item), problem: pod.problem });
    else pods.push(pod);
  }
  return { pods, malformed };
}

function nameOf(item: unknown): { readonly namespace: string; readonly name: string } {
  const { namespace, name } = record(record(item)['metadata']);
  return { namespace: printable(text(namespace) ?? '', 253), name: printable(text(name) ?? '', 253) };
}
