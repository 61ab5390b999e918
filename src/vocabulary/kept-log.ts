import * as z from 'zod';
import type { Value } from './value.ts';

export const keptLog = z
  .object({
    lines: z.array(z.string()).describe('its last lines, made printable; long ones are cut'),
    problem: z.string().optional().describe('why it could not be read'),
  })
  .describe("the end of the sidecar's log, read before its image was swapped");
export type KeptLog = Value<typeof keptLog>;
