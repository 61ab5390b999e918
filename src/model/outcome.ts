import * as z from 'zod';
import { jobReaction } from './job.ts';
import {
  exitCode,
  key,
  kind,
  message,
  milliseconds,
  object,
  problem,
  reason,
  text,
  texts,
  union,
  type Value,
  whole,
} from './schema.ts';
import { exclusion } from './verdict.ts';

export const blockedReason = z
  .enum([
    'KnownUnclean',
    'UnknownEnd',
    'AlreadyUnclean',
    'EndedUncleanBefore',
    'PromiseBroken',
    'NoRoomInJob',
    'NoopDoesNotStart',
    'NoopUnknown',
  ])
  .describe('why a step was blocked: it could make finished work run again or harm its pod');
export type BlockedReason = Value<typeof blockedReason>;

/** The result of one request. Only a read of the pod shows what became of the container. */
export const attemptResult = union('the result of one request', [
  kind('Accepted', 'the request succeeded, which does not prove that anything ended', {
    message: message.optional(),
  }),
  kind('Failed', 'the command exited with a code other than 0, or the answer was HTTP 5xx', { message }),
  kind(
    'Unconfirmed',
    'it may or may not have arrived, and may have ended the container; the pod shows which',
    {
      message,
      unopened: z
        .literal(true)
        .optional()
        .describe('the connection failed before it was open, so most likely nothing arrived'),
    },
  ),
  kind('NotThere', "the container was not found running; the pod's status may show this only later", {
    message,
  }),
  kind('Refused', 'a permission is missing, or admission denies the request', { message }),
  kind('NoSuchProgram', 'the image does not have this program', {
    program: text('the program'),
    message,
  }),
  kind('Unsupported', 'the sidecar, the node or the API server does not support this', { message }),
  kind('Immune', 'no signal can affect the process, so none was sent', { message }),
  kind('Blocked', 'not sent, to protect finished work', { reason: blockedReason }),
  kind('Busy', 'the API server asked to try again later', {
    message,
    retryAfterMs: milliseconds
      .optional()
      .describe('how long it asked to wait, in milliseconds; missing if it did not say'),
  }),
  kind('Undelivered', 'the request did not arrive', {
    message,
    noUpgrade: z
      .literal(true)
      .optional()
      .describe(
        'every attempt to upgrade the connection was refused; a step that needs no upgrade may follow',
      ),
  }),
]);
export type AttemptResult = Value<typeof attemptResult>;

export const stopReason = z
  .enum(['Deadline', 'Signal', 'LockLost', 'Declined', 'InternalError'])
  .describe(
    'why the sweep stopped early; Declined: the user was asked and did not answer yes; InternalError: a defect of the sweeper, which the log describes',
  );
export type StopReason = Value<typeof stopReason>;

export const capReason = z
  .enum(['OverMaxPods', 'OverMaxPodsPerNamespace', 'OverMaxPodsPerNode'])
  .describe('the cap that left it for the next sweep');
export type CapReason = Value<typeof capReason>;

export const notAttemptedReason = z
  .enum(['DryRun', 'Braked', 'NodeUnreachable', ...capReason.options, ...stopReason.options])
  .describe(
    'why the sweep did not act on it; NodeUnreachable: its node did not answer for three other pods in a row',
  );
export type NotAttemptedReason = Value<typeof notAttemptedReason>;

export const skipReason = union('why nothing was sent', [
  reason('BadKillCommand', { key, problem }),
  reason('CommandNotAllowed', { key }),
  reason('RestartsAlways'),
  reason('OverBound', {
    what: text('what there is too much of'),
    most: whole('the most that the sweeper allows'),
  }),
  reason('NoWay'),
  reason('NoLongerCandidate', {
    because: z.array(exclusion),
  }),
  kind('Undecided', 'planning for it failed with an error', { problem }),
  kind('NotRunning', 'the sidecar is waiting to start or to be restarted', {
    state: text('its state, such as Waiting'),
  }),
]);
export type SkipReason = Value<typeof skipReason>;

export const stillRunningBecause = union('why the container is still running', [
  reason('CarriesOthers'),
  reason('Outlived'),
  reason('LastResortDue'),
  reason('UnderWay'),
  reason('SwapUnderWay'),
  reason('Blocked', { reason: blockedReason }),
  reason('Refused', { message }),
  reason('NoSuchProgram', {
    program: text('the program'),
  }),
  reason('Unsupported', { message }),
  reason('Immune', { message }),
  reason('Undelivered', { message }),
]);
export type StillRunningBecause = Value<typeof stillRunningBecause>;

export const containerOutcome = union('what a read of the pod shows after the sweep acted', [
  kind('Stopped', 'the sweep ended it', {
    exitCode,
    signal: whole('the number of the signal that ended it; missing if none did').optional(),
  }),
  kind('AlreadyEnded', 'it ended before the sweep had sent anything that could end it', { exitCode }),
  kind('StillRunning', 'the sweep did not end it', { because: stillRunningBecause }),
  kind('Restarted', 'it ended, and the kubelet has restarted it or is about to', {
    exitCode: exitCode.optional(),
    restartCount: whole('how often it has been restarted since the pod started'),
  }),
  kind('NotStarted', 'it ended after an image swap, and the no-op image does not start', {
    reason: text('why, as the kubelet puts it'),
  }),
  kind('Gone', 'the pod no longer exists'),
  kind('Replaced', 'another pod now has its name', {
    uid: text('the uid of the other pod'),
  }),
  kind('Skipped', 'nothing was sent, or nothing more once the pod had changed', { reason: skipReason }),
  kind('NotAttempted', 'the sweep did not act on it', { reason: notAttemptedReason }),
  kind('Unproven', 'the pod could not be read afterwards, or an answer contradicts its status', {
    problem,
  }),
]);
export type ContainerOutcome = Value<typeof containerOutcome>;

export const podOutcome = union('what became of the pod', [
  kind('Ended', 'it has ended', {
    phase: z.enum(['Succeeded', 'Failed']).describe('the phase that it ended with'),
    job: jobReaction,
  }),
  kind('Stuck', 'one of its sidecars is still running, or was restarted'),
  kind('Unsettled', 'its containers have ended, but its phase does not show it yet'),
  kind('Gone', 'it no longer exists; only its Job shows how it ended', { job: jobReaction }),
  kind('Replaced', 'another pod now has its name', {
    uid: text('the uid of the other pod'),
  }),
  kind('Skipped', 'nothing was sent, or nothing more once the pod had changed', { reason: skipReason }),
  kind('NotAttempted', 'the sweep did not act on it', { reason: notAttemptedReason }),
  kind('Blocked', 'left as it is, to protect finished work', { reason: blockedReason }),
  kind('Unproven', 'it could not be read afterwards, or an answer contradicts its status', { problem }),
]);
export type PodOutcome = Value<typeof podOutcome>;

export const keptLog = object("the end of the sidecar's log, read before its image was swapped", {
  lines: texts('its last lines, made printable; long ones are cut'),
  problem: text('why it could not be read').optional(),
});
export type KeptLog = Value<typeof keptLog>;
