import * as z from 'zod';
import type { Value } from './value.ts';

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
