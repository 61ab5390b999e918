import * as z from 'zod';
import { toWriteAttempt } from './attempt.ts';
import { defineMethod, failsThePod, type StepCommon, specCommon } from './method.ts';

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
