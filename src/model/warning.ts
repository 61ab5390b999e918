import * as z from 'zod';
import { jobHarmKind } from './job.ts';
import { blockedReason } from './outcome.ts';
import { image, kind, message, method, namespace, type Value } from './schema.ts';

export const warning = z
  .discriminatedUnion('kind', [
    kind(
      'ListInconsistent',
      'a continue token expired while pods were listed, so pods that changed meanwhile may be missing or out of date',
    ),
    kind(
      'JobsUnreadable',
      'it is unknown what the Jobs in these namespaces did and which containers were injected',
      { namespaces: z.array(z.string()).describe('the namespaces'), message },
    ),
    kind(
      'InPortions',
      'not all stuck pods fit into the memory at a time: those that waste most come first, and the others after them, as far as time allows',
      {
        pods: z
          .int()
          .describe('how many come after the first ones; nothing else is told of those that are not reached'),
      },
    ),
    kind('NodesUnreadable', 'pods on nodes that are not ready are not recognised', { message }),
    kind('Unlocked', 'no Lease kept other sweeps from running at the same time', { message }),
    kind('NoPermission', 'a method was left out because the account lacks the permission in `needs`', {
      method,
      namespace: namespace.optional(),
      needs: z.string().describe('the permission, as RBAC names it'),
    }),
    kind('Blocked', 'pods were left as they are, because their sidecar would, or could, exit uncleanly', {
      image,
      method,
      reason: blockedReason,
      pods: z.int().describe('how many pods'),
    }),
    kind('NoopMayNotStart', 'containers set a command that the no-op image is not known to have', {
      noop: z.string().describe('the no-op image'),
      image,
      program: z.string().describe('what they would run'),
      containers: z.int().describe('how many containers'),
    }),
    kind('Braked', 'the plan is for more pods than expected, so nothing was sent', {
      pods: z
        .int()
        .describe('how many pods the sweep would act on (brakePods) or the plan is for (brakeShare)'),
      listed: z.int().describe('how many pods were listed'),
      limit: z.enum(['brakePods', 'brakeShare']).describe('the limit that was exceeded'),
      most: z.number().describe('the limit: a number of pods, or percent of the pods listed'),
      rule: z.string().optional().describe('the rule of the policy that made most of them candidates'),
      byRule: z.int().optional().describe('how many of them'),
    }),
    kind(
      'JobHarmed',
      'the mains succeeded, but because of this sweep the Job runs again, or the Job or one of its indexes has failed',
      {
        namespace,
        name: z.string().describe('the pod, which may be gone'),
        job: z.string().describe('the name of the Job'),
        harm: jobHarmKind,
        expected: z.literal(true).optional().describe('its Job was not seen to react yet'),
        earlier: z
          .literal(true)
          .optional()
          .describe('an earlier sweep did it, and could not tell what followed'),
      },
    ),
    kind(
      'PodHarmed',
      'the mains succeeded, but by an act of this sweep the pod has failed, and its platform or its owner may count the work as failed, or run it again',
      { namespace, name: z.string().describe('the pod, which may be gone') },
    ),
    kind(
      'BackoffLimitRaised',
      'the Job would have counted an image swap as a restart, and failed; its limit stays raised',
      {
        namespace,
        job: z.string().describe('the name of the Job'),
        from: z.int().describe('the limit that it had'),
        to: z.int().describe('the limit that it has now'),
        unconfirmed: z
          .literal(true)
          .optional()
          .describe('the answer was lost, so that it may still have the old limit'),
      },
    ),
    kind(
      'NotRemembered',
      'the next sweep does not know which promises were broken, and which steps were still under way: this one took no lock, or could not write the Lease sidecar-sweeper-learnt',
      {},
    ),
    kind(
      'ServerUnverified',
      'the certificate of the API server was not checked, so it may have been an impostor',
      { server: z.string().describe('its URL') },
    ),
  ])
  .describe('what an operator should know beyond the outcomes');
export type Warning = Value<typeof warning>;
