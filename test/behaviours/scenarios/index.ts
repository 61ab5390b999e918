import type { Scenario } from '../scenario.ts';
import { accounts } from './accounts.ts';
import { alwaysRestarted } from './always-restarted.ts';
import { cost } from './cost.ts';
import { harm } from './harm.ts';
import { learning } from './learning.ts';
import { oneRun } from './one-run.ts';
import { swaps } from './swaps.ts';

/**
 * Every scenario. Requests that fail for a moment and a kubelet whose status lags are not among them, because no
 * cluster fails on request: the emulator does, in `test/integration/sweep`.
 */
export const scenarios: readonly Scenario[] = [
  // The longest ones first.
  ...swaps,
  ...cost,
  ...learning,
  ...harm,
  ...alwaysRestarted,
  ...accounts,
  ...oneRun,
];
