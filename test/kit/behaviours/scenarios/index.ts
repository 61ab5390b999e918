import type { Scenario } from '../scenario.ts';
import { accounts } from './accounts.ts';
import { alwaysRestarted } from './always-restarted.ts';
import { cost } from './cost.ts';
import { hanging } from './hanging.ts';
import { harm } from './harm.ts';
import { oneRun } from './one-run.ts';
import { swaps } from './swaps.ts';

/**
 * Every scenario. Requests that fail and a kubelet that lags are missing, because a real cluster does not do so when asked:
 * the emulator does, in `test/cluster/sweep` and `test/kit/random`.
 */
export const scenarios: readonly Scenario[] = [
  // The longest ones first.
  ...swaps,
  ...cost,
  ...harm,
  ...hanging,
  ...alwaysRestarted,
  ...accounts,
  ...oneRun,
];
