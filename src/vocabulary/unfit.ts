import * as z from 'zod';
import { method } from '../fields.ts';
import type { Value } from './value.ts';

/** A step that was not planned, because it cannot work or is not allowed. */
export const unfit = z
  .object({
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
      .describe('explained in docs/report.md'),
    detail: z.string().describe('what the reason is about: a permission, a path, an annotation'),
    does: z.string().optional().describe('the step in words, if only the permission is missing'),
  })
  .describe('a step that was not planned, and why');
export type Unfit = Value<typeof unfit>;
