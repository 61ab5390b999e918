import type { Command } from 'commander';
import { namespacesOf } from '../flags/scope.ts';
import { addSweepFlags, type SweepFlags } from '../flags/sweep.ts';
import { describeCommand } from '../help.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper`: one sweep. */
export function defineSweep(program: Command, choose: (run: Run) => void): void {
  describeCommand(program, 'end the sidecars that keep finished pods running, and prove that they ended', [
    ['scan', 'list the stuck pods'],
    ['--dry-run', 'show what a sweep would do'],
    ['-n jobs -n etl --min-age 30m', 'sweep only pods that have been stuck for 30 minutes'],
    ['-A -o json | jq .totals', 'sweep, and print the totals'],
  ]);
  addSweepFlags(program).action((flags: SweepFlags) => {
    // Report mutually exclusive flags before anything is read.
    namespacesOf(flags);
    choose(async (surroundings) => (await import('../sweep/run.ts')).runSweep(flags, surroundings));
  });
}
