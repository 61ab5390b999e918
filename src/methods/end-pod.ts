import * as z from 'zod';
import type { WriteResult } from '../model/ports.ts';
import { toWriteAttempt } from './attempt.ts';
import {
  defineMethod,
  fromOutside,
  type Recipient,
  type SpecCommon,
  type StepCommon,
  writtenStep,
} from './method.ts';
import { type RbacRule, rule } from './permissions.ts';

/** A method that ends the whole pod by one request without parameters. */
function endsPod<const Name extends string, Written extends z.ZodType<SpecCommon>>(
  name: Name,
  does: string,
  written: Written,
  rbac: RbacRule,
  request: (to: Recipient) => Promise<WriteResult>,
) {
  return defineMethod({
    name,
    ends: 'Pod',
    rbac: [rbac],
    written,
    whyUnfit: () => undefined,
    isAdmitted: () => true,
    // Containers that do not end on TERM are killed. Even if all end with 0, a Job may count the pod as failed.
    toSteps: (_spec, { promisedBy: _, ...common }): readonly (StepCommon & { readonly method: Name })[] => [
      { ...fromOutside(common), exitCode: common.exitCode || 137, method: name },
    ],
    describeSpec: () => does,
    describe: () => does,
    send: async (_step, to) => toWriteAttempt(await request(to)),
  });
}

/** Sets a deadline that has already passed: the kubelet ends every container from outside. */
export const deadline = endsPod(
  'Deadline',
  'set activeDeadlineSeconds to 1',
  writtenStep('Deadline', { deadline: z.literal(true).describe('activeDeadlineSeconds 1: the pod fails') }),
  rule('', 'pods', 'patch'),
  ({ cluster, pod, abort }) => cluster.setDeadline(pod, abort),
);

export const deletion = endsPod(
  'Delete',
  'delete the pod',
  writtenStep('Delete', { delete: z.literal(true).describe('the pod is deleted') }),
  rule('', 'pods', 'delete'),
  ({ cluster, pod, abort }) => cluster.deletePod(pod, abort),
);

export const evict = endsPod(
  'Evict',
  'evict the pod',
  writtenStep('Evict', {
    evict: z.literal(true).describe('the pod is deleted, if its disruption budget allows it'),
  }),
  rule('', 'pods/eviction', 'create'),
  ({ cluster, pod, abort }) => cluster.evict(pod, abort),
);
