import type { Policy } from '../../policy/policy.ts';
import type { SweepFlags } from '../flags/sweep.ts';
import type { Surroundings } from '../surroundings.ts';
import type { OutputFiles } from './output-files.ts';
import type { Progress } from './progress.ts';
import type { Question } from './question.ts';

/** What is the same for each cluster. */
export interface SweepOrder {
  readonly flags: SweepFlags;
  readonly policy: Policy;
  readonly surroundings: Surroundings;
  readonly files: OutputFiles;
  /** Whether it is one of several clusters, each of which has to be named. */
  readonly isOneOfSeveral: boolean;
  /** A listener for one sweep that shows its progress; undefined if none is shown. */
  readonly progress: (() => Progress) | undefined;
  /** What is asked before anything is sent; undefined if nobody is asked. */
  readonly question: Question | undefined;
}
