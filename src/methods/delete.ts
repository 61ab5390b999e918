import * as z from 'zod';
import { defineMethod, failsThePod, type StepCommon, specCommon } from './method.ts';
import { toWriteAttempt } from './write-attempt.ts';

export interface DeleteStep extends StepCommon {
  readonly method: 'Delete';
}

/** Deletes the pod, and with it whatever runs in it. */
export const deletion = defineMethod({
  name: 'Delete',
  flag: 'delete',
  ends: 'Pod',
  rbac: [{ apiGroups: [''], resources: ['pods'], verbs: ['delete'] }],
  price: 'the pod is gone with its logs and status, and its Job runs again',
  written: z
    .strictObject({ delete: z.literal(true).describe('the pod is deleted'), ...specCommon })
    .transform((spec) => ({ method: 'Delete' as const, ...spec })),
  fromFlag: () => ({ delete: true as const }),
  whyUnfit: () => undefined,
  isAdmitted: () => true,
  toSteps: (_spec, common): readonly DeleteStep[] => [{ ...failsThePod(common), method: 'Delete' }],
  describeSpec: () => 'delete the pod',
  describe: () => 'delete the pod',
  async send(_step, { cluster, pod, abort }) {
    return toWriteAttempt(await cluster.deletePod(pod, abort));
  },
});
