import * as z from 'zod';
import { problem } from '../fields.ts';
import type { Value } from './value.ts';

export const jobReaction = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('NoJob') }).describe('no Job owns the pod'),
    z.object({ kind: z.literal('Complete') }).describe('it has completed'),
    z
      .object({
        kind: z.literal('Failed'),
        reason: z.string().describe('the reason of its Failed condition'),
      })
      .describe('it has failed for good'),
    z.object({ kind: z.literal('IndexFailed') }).describe("the pod's index has failed for good"),
    z
      .object({ kind: z.literal('RunsAgain') })
      .describe('the Job has started a replacement pod or is about to'),
    z.object({ kind: z.literal('Active') }).describe('it is waiting for its other pods'),
    z.object({ kind: z.literal('Gone') }).describe('it no longer exists'),
    z.object({ kind: z.literal('Unknown'), problem }).describe('the Job could not be read'),
  ])
  .describe('how the Job that owns the pod reacted');
export type JobReaction = Value<typeof jobReaction>;
