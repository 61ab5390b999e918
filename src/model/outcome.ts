import * as z from 'zod';
import { jobReaction } from './job.ts';
import { exitCode, key, message, milliseconds, problem, type Value } from './value.ts';
import { exclusion } from './verdict.ts';

export const heldReason = z
  .enum(['KnownUnclean', 'AlreadyUnclean', 'PromiseBroken', 'Forbidden', 'NoRoomInJob'])
  .describe('why a step was held: it could make finished work run again or harm its pod');
export type HeldReason = Value<typeof heldReason>;

/** The result of one request. Only a read of the pod shows what became of the container. */
export const attemptResult = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('Accepted'), message: message.optional() })
      .describe('the request succeeded, which does not prove that anything ended'),
    z
      .object({ kind: z.literal('Failed'), message })
      .describe('the command ran and exited with a code other than 0'),
    z
      .object({
        kind: z.literal('Unconfirmed'),
        message,
        unopened: z
          .literal(true)
          .optional()
          .describe('the connection broke before it was opened, so that most likely nothing arrived'),
      })
      .describe('it may or may not have arrived, and may have ended the container; the pod shows which'),
    z
      .object({ kind: z.literal('NotThere'), message })
      .describe("the container was not found running; the pod's status may show this only later"),
    z.object({ kind: z.literal('Refused'), message }).describe('a permission is missing'),
    z
      .object({ kind: z.literal('NoSuchProgram'), program: z.string().describe('the program'), message })
      .describe('the image does not have this program'),
    z
      .object({ kind: z.literal('Unsupported'), message })
      .describe('the sidecar, the node or the API server does not support this'),
    z
      .object({ kind: z.literal('Immune'), message })
      .describe('no signal can affect the process, so none was sent'),
    z.object({ kind: z.literal('Held'), reason: heldReason }).describe('not sent, to protect finished work'),
    z
      .object({
        kind: z.literal('Busy'),
        message,
        retryAfterMs: milliseconds
          .optional()
          .describe('how long it asked to wait, in milliseconds; missing if it did not say'),
      })
      .describe('the API server asked to try again later'),
    z
      .object({
        kind: z.literal('Undelivered'),
        message,
        noUpgrade: z
          .literal(true)
          .optional()
          .describe(
            'every try was answered with a refusal to upgrade the connection; a step that needs no upgrade may follow',
          ),
      })
      .describe('the request did not arrive'),
  ])
  .describe('the result of one request');
export type AttemptResult = Value<typeof attemptResult>;

export const stopReason = z
  .enum(['Deadline', 'Signal', 'LockLost', 'Declined', 'InternalError'])
  .describe(
    'why the sweep stopped early; Declined: the user was asked and did not say yes; InternalError: a defect of the sweeper, which the log describes',
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

export const skipReason = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('BadKillCommand'), key, problem })
      .describe('the annotation cannot be read; nothing else is tried'),
    z
      .object({ kind: z.literal('CommandNotAllowed'), key })
      .describe('the annotation asks for something that is not on the allowlist; nothing else is tried'),
    z
      .object({ kind: z.literal('RestartsAlways') })
      .describe('the kubelet restarts it however it ends, and no step that ends the pod is allowed'),
    z
      .object({ kind: z.literal('HostPID') })
      .describe("the pod's own command is not run, because PID 1 is the node's init process"),
    z
      .object({
        kind: z.literal('OverBound'),
        what: z.string().describe('what there is too much of'),
        most: z.int().describe('the most that the sweeper allows'),
      })
      .describe('the pod asks for more than the sweeper does for one pod'),
    z.object({ kind: z.literal('NoWay') }).describe('the pod shows that none of the steps can work'),
    z
      .object({ kind: z.literal('NoLongerCandidate'), because: z.array(exclusion) })
      .describe('the pod changed before anything was sent, and is no longer stuck'),
    z.object({ kind: z.literal('Undecided'), problem }).describe('planning for it failed with an error'),
    z
      .object({ kind: z.literal('NotRunning'), state: z.string().describe('its state, such as Waiting') })
      .describe('the sidecar is waiting to start or to be restarted'),
  ])
  .describe('why nothing was sent');
export type SkipReason = Value<typeof skipReason>;

export const stillRunningBecause = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('CarriesOthers') })
      .describe('other sidecars that may talk through it are still running, so it was not asked to end'),
    z.object({ kind: z.literal('Outlived') }).describe('it outlived every step that was taken'),
    z
      .object({ kind: z.literal('LastResortDue') })
      .describe(
        'only a last resort can end it, and that waits until the other sidecars have outlived their steps',
      ),
    z
      .object({ kind: z.literal('UnderWay') })
      .describe('a step was sent that may still work, but the sweep did not wait any longer'),
    z
      .object({ kind: z.literal('SwapUnderWay') })
      .describe('its image was swapped, but the kubelet has not replaced the container yet'),
    z
      .object({ kind: z.literal('Held'), reason: heldReason })
      .describe('ending it could make finished work run again'),
    z.object({ kind: z.literal('Refused'), message }).describe('a permission is missing'),
    z
      .object({ kind: z.literal('NoSuchProgram'), program: z.string().describe('the program') })
      .describe('the image does not have this program, which is often the shell'),
    z
      .object({ kind: z.literal('Unsupported'), message })
      .describe('the sidecar, the node or the API server does not support this'),
    z.object({ kind: z.literal('Immune'), message }).describe('no signal affects its process'),
    z.object({ kind: z.literal('Undelivered'), message }).describe('no request reached it'),
  ])
  .describe('why the container is still running');
export type StillRunningBecause = Value<typeof stillRunningBecause>;

export const containerOutcome = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('Stopped'),
        exitCode,
        signal: z.int().optional().describe('the number of the signal that ended it; missing if none did'),
      })
      .describe('the sweep ended it'),
    z
      .object({ kind: z.literal('AlreadyEnded'), exitCode })
      .describe('it ended before the sweep had sent anything that could end it'),
    z
      .object({ kind: z.literal('StillRunning'), because: stillRunningBecause })
      .describe('the sweep did not end it'),
    z
      .object({
        kind: z.literal('Restarted'),
        exitCode: exitCode.optional(),
        restartCount: z.int().describe('how often it has been restarted since the pod started'),
      })
      .describe('it ended, and the kubelet has restarted it or is about to'),
    z
      .object({
        kind: z.literal('NotStarted'),
        reason: z.string().describe('why, as the kubelet puts it'),
      })
      .describe('it ended after an image swap, and the no-op image does not start'),
    z.object({ kind: z.literal('Gone') }).describe('the pod no longer exists'),
    z
      .object({ kind: z.literal('Replaced'), uid: z.string().describe('the uid of the other pod') })
      .describe('another pod now has its name'),
    z.object({ kind: z.literal('Skipped'), reason: skipReason }).describe('nothing was sent'),
    z
      .object({ kind: z.literal('NotAttempted'), reason: notAttemptedReason })
      .describe('the sweep did not act on it'),
    z
      .object({ kind: z.literal('Unproven'), problem })
      .describe('the pod could not be read afterwards, or an answer contradicts its status'),
  ])
  .describe('what a read of the pod shows after the sweep acted');
export type ContainerOutcome = Value<typeof containerOutcome>;

export const podOutcome = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('Ended'),
        phase: z.enum(['Succeeded', 'Failed']).describe('the phase that it ended with'),
        job: jobReaction,
      })
      .describe('it has ended'),
    z.object({ kind: z.literal('Stuck') }).describe('one of its sidecars is still running, or was restarted'),
    z
      .object({ kind: z.literal('Unsettled') })
      .describe('its containers have ended, but its phase does not show it yet'),
    z
      .object({ kind: z.literal('Gone'), job: jobReaction })
      .describe('it no longer exists; only its Job shows how it ended'),
    z
      .object({ kind: z.literal('Replaced'), uid: z.string().describe('the uid of the other pod') })
      .describe('another pod now has its name'),
    z.object({ kind: z.literal('Skipped'), reason: skipReason }).describe('nothing was sent'),
    z
      .object({ kind: z.literal('NotAttempted'), reason: notAttemptedReason })
      .describe('the sweep did not act on it'),
    z
      .object({ kind: z.literal('Held'), reason: heldReason })
      .describe('left as it is, to protect finished work'),
    z
      .object({ kind: z.literal('Unproven'), problem })
      .describe('it could not be read afterwards, or an answer contradicts its status'),
  ])
  .describe('what became of the pod');
export type PodOutcome = Value<typeof podOutcome>;

export const keptLog = z
  .object({
    lines: z.array(z.string()).describe('its last lines, made printable; long ones are cut'),
    problem: z.string().optional().describe('why it could not be read'),
  })
  .describe("the end of the sidecar's log, read before its image was swapped");
export type KeptLog = Value<typeof keptLog>;
