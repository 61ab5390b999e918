import type { DeleteStep } from '../vocabulary.ts';
import type { PodMethod } from './method.ts';
import { toWriteAttempt } from './write-attempt.ts';

/** Deletes the pod: whatever is in it ends. */
export const deletion: PodMethod<DeleteStep> = {
  flag: 'delete',
  rbac: [{ apiGroups: [''], resources: ['pods'], verbs: ['delete'] }],
  price: 'the pod is gone with its logs and status, and its Job runs again',
  async send(cluster, pod, _containers, _step, signal) {
    return toWriteAttempt(await cluster.deletePod(pod, signal));
  },
};
