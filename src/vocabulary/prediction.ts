import * as z from 'zod';
import type { Value } from './value.ts';

export const prediction = z
  .object({
    exitCode: z.int().optional().describe('the exit code of the last sidecar; missing if unknown'),
    phase: z.enum(['Succeeded', 'Failed', 'Running', 'Unknown']).describe('the phase that the pod will have'),
    job: z
      .enum(['NoJob', 'Completes', 'RunsAgain', 'IndexFails', 'Fails', 'StaysActive', 'Unknown'])
      .describe('what its Job will do'),
  })
  .describe('what will become of the pod if the first step that is not held works');
export type Prediction = Value<typeof prediction>;
