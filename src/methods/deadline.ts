import * as z from 'zod';
import { defineMethod, failsThePod, type StepCommon, specCommon } from './method.ts';
import { toWriteAttempt } from './write-attempt.ts';

export interface DeadlineStep extends StepCommon {
  readonly method: 'Deadline';
}

/** Sets a deadline that is already over: the kubelet ends every container from outside. */
export const deadline = defineMethod({
  name: 'Deadline',
  flag: 'deadline',
  ends: 'Pod',
  rbac: [{ apiGroups: [''], resources: ['pods'], verbs: ['patch'] }],
  price: 'the pod fails with DeadlineExceeded, so its Job runs again; logs are kept',
  written: z
    .strictObject({
      deadline: z.literal(true).describe('activeDeadlineSeconds 1: the pod fails'),
      ...specCommon,
    })
    .transform((spec) => ({ method: 'Deadline' as const, ...spec })),
  fromFlag: () => ({ deadline: true as const }),
  whyUnfit: () => undefined,
  isAdmitted: () => true,
  toSteps: (_spec, common): readonly DeadlineStep[] => [{ ...failsThePod(common), method: 'Deadline' }],
  describeSpec: () => 'set activeDeadlineSeconds to 1',
  describe: () => 'set activeDeadlineSeconds to 1',
  async send(_step, { cluster, pod, abort }) {
    return toWriteAttempt(await cluster.setDeadline(pod, abort));
  },
});
