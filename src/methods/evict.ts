import * as z from 'zod';
import { defineMethod, failsThePod, type StepCommon, specCommon } from './method.ts';
import { toWriteAttempt } from './write-attempt.ts';

export interface EvictStep extends StepCommon {
  readonly method: 'Evict';
}

/** Has the pod deleted, if its disruption budget allows it. */
export const evict = defineMethod({
  name: 'Evict',
  flag: 'evict',
  ends: 'Pod',
  rbac: [{ apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] }],
  price: 'the pod is gone with its logs and status, and its Job runs again',
  written: z
    .strictObject({
      evict: z.literal(true).describe('the pod is deleted, if its disruption budget allows it'),
      ...specCommon,
    })
    .transform((spec) => ({ method: 'Evict' as const, ...spec })),
  fromFlag: () => ({ evict: true as const }),
  whyUnfit: () => undefined,
  isAdmitted: () => true,
  toSteps: (_spec, common): readonly EvictStep[] => [{ ...failsThePod(common), method: 'Evict' }],
  describeSpec: () => 'evict the pod',
  describe: () => 'evict the pod',
  async send(_step, { cluster, pod, abort }) {
    return toWriteAttempt(await cluster.evict(pod, abort));
  },
});
