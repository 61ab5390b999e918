import type { PodView } from '../../vocabulary/pod.ts';
import type { ListTransport } from '../http/transport.ts';
import { podsPath } from '../paths.ts';
import { listPages } from './pages.ts';

/** Enough to learn from, and no more than a moment's work for the server. */
const requestsAllowed = 20;
const selectors = { labelSelector: 'job-name', fieldSelector: 'status.phase=Failed' };

/** The failed pods of Jobs, in all namespaces if none is named; pods that cannot be read are missing. */
export async function listFailedPods(
  transport: ListTransport,
  namespaces: readonly string[],
  abort: AbortSignal,
): Promise<readonly PodView[]> {
  const found = new Map<string, PodView>();
  for (const namespace of namespaces.length > 0 ? namespaces : [undefined]) {
    let requests = 0;
    for await (const page of listPages(transport, podsPath(namespace), selectors, abort)) {
      for (const pod of page.kind === 'Page' ? page.pods : []) found.set(pod.ref.uid, pod);
      if (++requests === requestsAllowed) break;
    }
  }
  return [...found.values()];
}
