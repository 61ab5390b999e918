import * as z from 'zod';
import { exitCode, message, problem } from '../fields.ts';
import { heldReason } from './held-reason.ts';
import { notAttemptedReason } from './not-attempted-reason.ts';
import { skipReason } from './skip-reason.ts';
import type { Value } from './value.ts';

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
