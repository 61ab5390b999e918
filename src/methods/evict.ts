import type { EvictStep } from '../vocabulary.ts';
import type { PodMethod } from './method.ts';
import { toWriteAttempt } from './write-attempt.ts';

/** Has the pod deleted, if its disruption budget allows it. */
export const evict: PodMethod<EvictStep> = {
  flag: 'evict',
  rbac: [{ apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] }],
  price: 'the pod is gone with its logs and status, and its Job runs again',
  async send(cluster, pod, _containers, _step, signal) {
    return toWriteAttempt(await cluster.evict(pod, signal));
  },
};
