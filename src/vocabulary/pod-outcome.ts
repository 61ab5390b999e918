import * as z from 'zod';
import { problem } from '../fields.ts';
import { heldReason } from './held-reason.ts';
import { jobReaction } from './job-reaction.ts';
import { notAttemptedReason } from './not-attempted-reason.ts';
import { skipReason } from './skip-reason.ts';
import type { Value } from './value.ts';

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
