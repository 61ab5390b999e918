import * as z from 'zod';
import { jobHarmKind } from './job.ts';
import { kind, message, method, namespace, text, texts, union, type Value, whole } from './schema.ts';

export const warning = union('what an operator should know beyond the outcomes', [
  kind(
    'ListInconsistent',
    'a continue token expired while pods were listed, so pods that changed meanwhile may be missing or out of date',
  ),
  kind(
    'JobsUnreadable',
    'the Jobs in these namespaces, or their pods, cannot be read, so it may be unknown what the Jobs did, how many more failures they allow and which containers were injected',
    { namespaces: texts('the namespaces'), message },
  ),
  kind(
    'InPortions',
    'not all stuck pods fit into memory at once: those that waste most come first, and the others after them, as far as time allows',
    {
      pods: whole(
        'how many come after the first ones; the report says nothing else about those that are not reached',
      ),
    },
  ),
  kind('NodesUnreadable', 'nodes cannot be read, so pods on nodes that are not ready are not recognised', {
    message,
  }),
  kind('Unlocked', 'no Lease kept other sweeps from running at the same time', { message }),
  kind(
    'NoPermission',
    'the account lacks the permission in `needs`, so a sweep leaves the method out; a dry run still shows its steps',
    {
      method,
      namespaces: texts('the namespaces'),
      needs: text('the permission, as RBAC names it'),
    },
  ),
  kind('Braked', 'a plan is for more pods than expected, so none of it was sent', {
    pods: whole('how many pods the sweep would act on (brakePods) or the plan is for (brakeShare)'),
    listed: whole('how many pods were listed'),
    limit: z.enum(['brakePods', 'brakeShare']).describe('the limit that was exceeded'),
    most: z.number().describe('the limit: a number of pods, or percent of the pods listed'),
    rule: text('the rule of the policy that made most of them candidates').optional(),
    byRule: whole('how many of them').optional(),
  }),
  kind(
    'JobHarmed',
    'the mains succeeded, but because of this or an earlier sweep the Job runs again, or the Job or one of its indexes has failed',
    {
      namespace,
      name: text('the pod, which may be gone'),
      job: text('the name of the Job'),
      harm: jobHarmKind,
      expected: z.literal(true).optional().describe('its Job has not been seen to react yet'),
      earlier: z.literal(true).optional().describe('an earlier sweep did it'),
    },
  ),
  kind(
    'JobMayBeHarmed',
    'what was sent may end a sidecar after the sweep, with an exit code that is not known, and this may become of its Job then',
    { namespace, name: text('the pod'), job: text('the name of the Job'), harm: jobHarmKind },
  ),
  kind(
    'PodHarmed',
    'the mains succeeded, but the pod has failed because of this sweep, and its platform or its owner may count the work as failed, or run it again',
    { namespace, name: text('the pod, which may be gone') },
  ),
  kind(
    'BackoffLimitRaised',
    'the Job would have counted an image swap as a restart, and failed; its limit stays raised',
    {
      namespace,
      job: text('the name of the Job'),
      from: whole('the limit that it had'),
      to: whole('the limit that it has now'),
      unconfirmed: z
        .literal(true)
        .optional()
        .describe('the answer was lost, so it may still have the old limit'),
    },
  ),
  kind(
    'NotRemembered',
    'the next sweep does not know which promises were broken, or which steps were still under way: this one took no lock, or could not write the Lease sidecar-sweeper-learnt',
    {},
  ),
  kind(
    'ServerUnverified',
    'the certificate of the API server was not checked, so it may have been an impostor',
    { server: text('its URL') },
  ),
]);
export type Warning = Value<typeof warning>;
