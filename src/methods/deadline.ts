import type { DeadlineStep } from '../vocabulary.ts';
import type { PodMethod } from './method.ts';
import { toWriteAttempt } from './write-attempt.ts';

/** Lets the pod's time be over: the kubelet ends every container from outside. */
export const deadline: PodMethod<DeadlineStep> = {
  flag: 'deadline',
  rbac: [{ apiGroups: [''], resources: ['pods'], verbs: ['patch'] }],
  price: 'the pod fails with DeadlineExceeded, so that its Job runs again; logs are kept',
  async send(cluster, pod, _containers, _step, signal) {
    return toWriteAttempt(await cluster.setDeadline(pod, signal));
  },
};
