import { newImageOf } from '../methods/index.ts';
import type { Permissions } from '../methods/permissions.ts';
import type { PodDraft } from '../plan/draft.ts';
import { type SwapAdmission, swapIn } from '../plan/plan.ts';
import type { Cluster, Slots } from '../ports.ts';

interface Options {
  readonly cluster: Pick<Cluster, 'swapImages'>;
  readonly slots: Slots;
  readonly stop: AbortSignal;
}

/**
 * Sends every swap as a dry run: pod security looks again at a pod whose image changes, and policies and webhooks may refuse or
 * rewrite it. Nothing is changed. A request without an answer says nothing; the swap itself will.
 */
export async function askForSwaps(
  drafts: readonly PodDraft[],
  permissions: Permissions,
  { cluster, slots, stop }: Options,
): Promise<SwapAdmission> {
  const refused = new Map<string, string>();
  const images = new Map<string, Readonly<Record<string, string>>>();
  const ask = async (draft: PodDraft): Promise<void> => {
    const { pod } = draft.candidate;
    const swap = swapIn(draft, permissions);
    const image = swap && newImageOf(swap);
    if (image === undefined) return;
    const swaps = draft.swappable.map((container) => ({ container, image }));
    const result = await slots(() => cluster.swapImages(pod.ref, swaps, { dryRun: true }, stop));
    if (result.kind === 'Refused' || result.kind === 'Rejected') refused.set(pod.ref.uid, result.message);
    if (result.kind === 'Written' && result.images) images.set(pod.ref.uid, result.images);
  };
  await Promise.all(drafts.map(ask));
  return { refused, images };
}
