import { newImageOf } from '../methods/index.ts';
import type { Permissions } from '../methods/permissions.ts';
import type { Cluster } from '../model/ports.ts';
import type { PodDraft } from '../plan/draft.ts';
import { type SwapAnswer, swapIn } from '../plan/plan.ts';
import type { Slots } from '../util/concurrency.ts';

/** The API server refuses a dry run if a webhook has side effects (apiserver's admission/plugin/webhook/errors/statuserror.go). */
function isOfDryRun(message: string): boolean {
  return message.includes('does not support dry run');
}

interface SwapOptions {
  readonly cluster: Pick<Cluster, 'swapImages'>;
  readonly slots: Slots;
  readonly stop: AbortSignal;
}

/** Pod Security, policies and webhooks check a pod again if its image changes. If there is no answer, the swap itself will show. */
export async function askForSwaps(
  drafts: readonly PodDraft[],
  permissions: Permissions,
  { cluster, slots, stop }: SwapOptions,
): Promise<ReadonlyMap<string, SwapAnswer>> {
  const answers = new Map<string, SwapAnswer>();
  const ask = async (draft: PodDraft): Promise<void> => {
    const { pod } = draft.candidate;
    const swap = swapIn(draft, permissions);
    const asked = swap && newImageOf(swap);
    if (asked === undefined) return;
    const meant = draft.swappable.filter((container) => draft.swapImages[container]?.includes(asked));
    const swaps = meant.map((container) => ({ container, image: asked }));
    const result = await slots(() => cluster.swapImages(pod.ref, swaps, { dryRun: true }, stop));
    const { uid } = pod.ref;
    if ((result.kind === 'Refused' || result.kind === 'Rejected') && !isOfDryRun(result.message)) {
      answers.set(uid, { kind: 'Refused', asked, message: result.message });
    }
    if (result.kind === 'Written' && result.images) {
      answers.set(uid, { kind: 'Admitted', asked, images: result.images });
    }
  };
  await Promise.all(drafts.map(ask));
  return answers;
}
