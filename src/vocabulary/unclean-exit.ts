import * as z from 'zod';
import type { Value } from './value.ts';

/** Whether a step may make a sidecar exit uncleanly if a Job would then run finished work again. */
export type UncleanExit = 'canary' | 'allow' | 'forbid';

export const uncleanCost = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('Nothing') }).describe('no finished work depends on it'),
    z
      .object({ kind: z.literal('Restart') })
      .describe('the kubelet restarts the sidecar, and its Job counts the restart'),
    z.object({ kind: z.literal('AnotherRun') }).describe('the Job runs finished work again'),
    z.object({ kind: z.literal('Index') }).describe('the index of an indexed Job fails for good'),
    z
      .object({
        kind: z.literal('Job'),
        because: z
          .enum(['NoRetriesLeft', 'FailurePolicy', 'JobUnreadable', 'ArgoWorkflow', 'OtherOwner', 'Platform'])
          .describe(
            'NoRetriesLeft: its backoffLimit is used up; FailurePolicy: its podFailurePolicy fails it; JobUnreadable: it cannot be read; ArgoWorkflow: Argo Workflows owns the pod; OtherOwner: the owner is not a Job; Platform: the pod has no owner, but the platform that created it judges the work by its phase',
          ),
      })
      .describe(
        'the Job, workflow or other owner fails for good, or may do so; with Platform, the platform may count the work as failed',
      ),
  ])
  .describe('what it costs if a sidecar of this pod exits with a non-zero code');
export type UncleanCost = Value<typeof uncleanCost>;

/** What the guard decides about a step before anything is sent. */
export const clearance = z
  .enum(['Free', 'Canary', 'Follower', 'AlreadyUnclean', 'KnownUnclean', 'Forbidden'])
  .describe(
    'Free: sent at once; Canary: sent first to one of the pods that are started alike; Follower: sent only after such a canary has ended with 0, because this pod has more to lose than another run; AlreadyUnclean: held, because another sidecar of the pod has exited uncleanly, so that the pod fails once this one ends; KnownUnclean: held, because the sidecar is known to exit uncleanly; Forbidden: held by --unclean-exit=forbid',
  );
export type Clearance = Value<typeof clearance>;
