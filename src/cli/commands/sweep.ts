import type { Command } from 'commander';
import { namespacesOf } from '../flags/scope.ts';
import { addSweepFlags, type SweepFlags } from '../flags/sweep.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper`: one sweep. */
export function defineSweep(program: Command, choose: (run: Run) => void): void {
  addSweepFlags(program).action((flags: SweepFlags) => {
    // Report mutually exclusive flags before anything is read.
    namespacesOf(flags);
    choose(async (surroundings) => (await import('../sweep/run.ts')).runSweep(flags, surroundings));
  });
}
