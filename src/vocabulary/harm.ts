import * as z from 'zod';
import type { Value } from './value.ts';

export const jobHarmKind = z
  .enum(['RunsAgain', 'IndexFailed', 'JobFailed'])
  .describe('RunsAgain: finished work runs again; IndexFailed, JobFailed: it has failed for good');

export const harmKind = z
  .enum([...jobHarmKind.options, 'PodFailed'])
  .describe(
    'RunsAgain: finished work runs again; IndexFailed, JobFailed: it has failed for good; PodFailed: no Job owns the pod, and its platform or its owner may count the work as failed, or run it again',
  );
export type HarmKind = Value<typeof harmKind>;

export const harm = z
  .object({
    kind: harmKind,
    permitted: z.boolean().describe('whether --unclean-exit=allow permitted it'),
  })
  .describe('what this sweep did to the work of a pod whose mains had all exited 0');
export type Harm = Value<typeof harm>;
