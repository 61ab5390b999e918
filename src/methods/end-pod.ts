import * as z from 'zod';
import type { WriteResult } from '../model/ports.ts';
import { toWriteAttempt } from './attempt.ts';
import { defineMethod, failsThePod, type Recipient, type StepCommon, specCommon } from './method.ts';

interface EndPodStep<Name extends string> extends StepCommon {
  readonly method: Name;
}

/** The common part of methods that end the whole pod by one request without parameters. */
function endPod<const Name extends string>(
  name: Name,
  does: string,
  request: (to: Recipient) => Promise<WriteResult>,
) {
  return {
    name,
    ends: 'Pod' as const,
    whyUnfit: () => undefined,
    isAdmitted: () => true,
    toSteps: (_spec: unknown, common: StepCommon): readonly EndPodStep<Name>[] => [
      { ...failsThePod(common), method: name },
    ],
    describeSpec: () => does,
    describe: () => does,
    send: async (_step: unknown, to: Recipient) => toWriteAttempt(await request(to)),
  };
}

/** Sets a deadline that has already passed: the kubelet ends every container from outside. */
export const deadline = defineMethod({
  ...endPod('Deadline', 'set activeDeadlineSeconds to 1', ({ cluster, pod, abort }) =>
    cluster.setDeadline(pod, abort),
  ),
  flag: 'deadline',
  rbac: [{ apiGroups: [''], resources: ['pods'], verbs: ['patch'] }],
  price: 'the pod fails with DeadlineExceeded, so its Job runs again; logs are kept',
  written: z
    .strictObject({
      deadline: z.literal(true).describe('activeDeadlineSeconds 1: the pod fails'),
      ...specCommon,
    })
    .transform((spec) => ({ method: 'Deadline' as const, ...spec })),
  fromFlag: () => ({ deadline: true as const }),
});

/** Deletes the pod with all its containers. */
export const deletion = defineMethod({
  ...endPod('Delete', 'delete the pod', ({ cluster, pod, abort }) => cluster.deletePod(pod, abort)),
  flag: 'delete',
  rbac: [{ apiGroups: [''], resources: ['pods'], verbs: ['delete'] }],
  price: 'the pod is gone with its logs and status, and its Job runs again',
  written: z
    .strictObject({ delete: z.literal(true).describe('the pod is deleted'), ...specCommon })
    .transform((spec) => ({ method: 'Delete' as const, ...spec })),
  fromFlag: () => ({ delete: true as const }),
});

/** Deletes the pod, if its disruption budget allows it. */
export const evict = defineMethod({
  ...endPod('Evict', 'evict the pod', ({ cluster, pod, abort }) => cluster.evict(pod, abort)),
  flag: 'evict',
  rbac: [{ apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] }],
  price: 'the pod is gone with its logs and status, and its Job runs again',
  written: z
    .strictObject({
      evict: z.literal(true).describe('the pod is deleted, if its disruption budget allows it'),
      ...specCommon,
    })
    .transform((spec) => ({ method: 'Evict' as const, ...spec })),
  fromFlag: () => ({ evict: true as const }),
});
