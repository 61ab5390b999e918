import type { PodView } from '../../model/pod.ts';
import type { ListTransport } from '../http/transport.ts';
import { podsPath } from '../paths.ts';
import { asAsked } from './as-asked.ts';
import { listPages } from './pages.ts';

/** Enough to learn from, and no more than a moment's work for the server. */
const requestsAllowed = 20;
const selectors = { labelSelector: 'job-name', fieldSelector: 'status.phase=Failed' };

/** The failed pods of Jobs, in all namespaces if none is named; what cannot be read, or was not asked for, is missing. */
export async function listFailedPods(
  transport: ListTransport,
  namespaces: readonly string[],
  abort: AbortSignal,
): Promise<readonly PodView[]> {
  const found = new Map<string, PodView>();
  for (const namespace of namespaces.length > 0 ? namespaces : [undefined]) {
    let requests = 0;
    for await (const page of listPages(transport, { path: podsPath(namespace), selectors }, abort)) {
      const asked = page.kind === 'Page' ? asAsked({ ...page, atWork: [] }, namespace, selectors).pods : [];
      for (const pod of asked) if (pod.phase === 'Failed') found.set(pod.ref.uid, pod);
      if (++requests === requestsAllowed) break;
    }
  }
  return [...found.values()];
}
