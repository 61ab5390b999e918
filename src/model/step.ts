import * as z from 'zod';
import { key, kind, method, object, text, union, type Value, whole } from './schema.ts';

export const stepSource = union('where the step comes from', [
  kind('Annotation', "the pod's own annotation asks for it", { key }),
  kind('Profile', 'it comes from a profile of the catalogue or the policy', {
    profile: text('the name of the profile'),
  }),
  kind('Default', 'tried on any sidecar'),
  kind('Swap', 'allowed by --noop-image or the policy, before any step whose result is uncertain'),
  kind('LastResort', 'asked for by --last-resort or the policy'),
]);
export type StepSource = Value<typeof stepSource>;

export const unfit = object('a step that was not planned, and why', {
  method,
  reason: z
    .enum([
      'NotShown',
      'ShownOtherwise',
      'Off',
      'NotAllowed',
      'NoPermission',
      'SeesTheNode',
      'NoPath',
      'RestartsAlways',
      'WouldFailJob',
      'NotAdmitted',
      'OverBound',
    ])
    .describe('explained in docs/reasons.md'),
  detail: text('what the reason is about: a permission, a path, an annotation'),
  does: text('the step in words, if only the permission is missing').optional(),
});
export type Unfit = Value<typeof unfit>;

/** Whether a step may make a sidecar exit uncleanly if a Job would then run finished work again. */
export type UncleanExit = 'allow' | 'forbid';

export const uncleanCost = union('what it costs if a sidecar of this pod exits with a non-zero code', [
  kind('Nothing', 'no finished work depends on it'),
  kind('Restart', 'the kubelet restarts the sidecar; under OnFailure, its Job counts the restart'),
  kind('AnotherRun', 'the Job runs finished work again'),
  kind('Index', 'the index of an indexed Job fails for good'),
  kind(
    'Job',
    'the Job, workflow or other owner fails for good, or may do so; with Platform, the platform may count the work as failed',
    {
      because: z
        .enum(['NoRetriesLeft', 'FailurePolicy', 'JobUnreadable', 'ArgoWorkflow', 'OtherOwner', 'Platform'])
        .describe(
          'NoRetriesLeft: its backoffLimit is used up; FailurePolicy: its podFailurePolicy fails it; JobUnreadable: it or its pods cannot be read; ArgoWorkflow: Argo Workflows owns the pod; OtherOwner: the owner is not a Job, or another controller manages the Job; Platform: the pod has no owner, but the platform that created it judges the work by its phase',
        ),
    },
  ),
]);
export type UncleanCost = Value<typeof uncleanCost>;

export const prediction = object('what will become of the pod if the first step that is not blocked works', {
  exitCode: whole('the exit code of the last sidecar; missing if unknown').optional(),
  phase: z.enum(['Succeeded', 'Failed', 'Running', 'Unknown']).describe('the phase that the pod will have'),
  job: z
    .enum(['NoJob', 'Completes', 'RunsAgain', 'IndexFails', 'Fails', 'StaysActive', 'Unknown'])
    .describe('what its Job will do'),
});
export type Prediction = Value<typeof prediction>;

/** Which kill commands in annotations are run: none, those that match a pattern, or all. */
export type AnnotationCommands =
  | { readonly kind: 'Off' }
  | { readonly kind: 'Allowlist'; readonly patterns: readonly (readonly string[])[] }
  | { readonly kind: 'Any' };
