import type { Policy } from '../../policy/policy.ts';
import type { SweepFlags } from '../flags/sweep.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Ask } from './confirm.ts';
import type { OutputFiles } from './output-files.ts';
import type { Progress } from './progress.ts';

/** What to sweep, and how. */
export interface SweepOrder {
  readonly flags: SweepFlags;
  readonly policy: Policy;
  readonly surroundings: Surroundings;
  readonly files: OutputFiles;
  /** Undefined if none is shown. */
  readonly progress: Progress | undefined;
  /** Asks before anything is sent; undefined if the sweep does not ask. */
  readonly ask: Ask | undefined;
}
