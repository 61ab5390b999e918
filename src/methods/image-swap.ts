import type { ImageSwapStep } from '../vocabulary.ts';
import type { PodMethod } from './method.ts';
import { toWriteAttempt } from './write-attempt.ts';

/**
 * Replaces the image by one that does nothing. The kubelet then ends the container itself, from outside: preStop hook, the
 * image's stop signal, grace period, KILL; and starts the new one, which exits 0, whatever the restart policy. Nothing
 * inside can resist, and the pod succeeds.
 */
export const imageSwap: PodMethod<ImageSwapStep> = {
  flag: 'image-swap',
  rbac: [{ apiGroups: [''], resources: ['pods'], verbs: ['patch'] }],
  price: "the old container's logs are gone, and patch on pods can change more than images",
  async send(cluster, pod, containers, { image }, signal) {
    const swaps = containers.map((container) => ({ container, image }));
    return toWriteAttempt(await cluster.swapImages(pod, swaps, signal));
  },
};
