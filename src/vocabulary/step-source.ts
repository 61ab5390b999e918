import * as z from 'zod';
import { key } from '../fields.ts';
import type { Value } from './value.ts';

/** Where a step comes from. */
export const stepSource = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('Annotation'), key }).describe("the pod's own annotation asks for it"),
    z
      .object({ kind: z.literal('Profile'), profile: z.string().describe('the name of the profile') })
      .describe('it comes from a profile of the catalogue or the policy'),
    z.object({ kind: z.literal('Default') }).describe('tried on any sidecar'),
    z
      .object({ kind: z.literal('Swap') })
      .describe('allowed by --noop-image or the policy, before any step whose end is uncertain'),
    z.object({ kind: z.literal('LastResort') }).describe('asked for by --last-resort or the policy'),
  ])
  .describe('where the step comes from');
export type StepSource = Value<typeof stepSource>;
