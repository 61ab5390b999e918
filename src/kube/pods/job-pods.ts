import type { Owner, PodView } from '../../model/pod.ts';
import type { ListTransport } from '../http/transport.ts';
import { podsPath } from '../paths.ts';
import { asAsked } from './as-asked.ts';
import { listPages } from './pages.ts';

/**
 * The pods of a Job that have not ended, whose restarts it adds up. Undefined if they cannot all be read. The label without a
 * prefix is the one that every version sets: https://kubernetes.io/docs/reference/labels-annotations-taints/#controller-uid
 */
export async function listJobPods(
  transport: ListTransport,
  namespace: string,
  { uid }: Owner,
  abort: AbortSignal,
): Promise<readonly PodView[] | undefined> {
  const selectors = {
    labelSelector: `controller-uid=${uid}`,
    fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed',
  };
  const found = new Map<string, PodView>();
  for await (const page of listPages(transport, { path: podsPath(namespace), selectors }, abort)) {
    if (page.kind === 'Failed') return undefined;
    if (page.kind === 'Expired') continue;
    const { pods, malformed } = asAsked({ ...page, atWork: [] }, namespace, selectors);
    if (malformed.length > 0) return undefined;
    for (const pod of pods) if (pod.owner?.uid === uid) found.set(pod.ref.uid, pod);
  }
  return [...found.values()];
}
