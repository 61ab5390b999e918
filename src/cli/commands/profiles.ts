import type { Command } from 'commander';
import { addOutputFlags } from '../output.ts';
import type { ProfilesFlags } from '../runs/profiles.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper profiles`: the known sidecars, and how to end each. */
export function defineProfiles(program: Command, choose: (run: Run) => void): void {
  const command = program
    .command('profiles')
    .description('print the catalogue: the known sidecars, and how each is ended')
    .option('--policy <file>', 'include the changes that this policy makes');
  addOutputFlags(command).action((flags: ProfilesFlags) =>
    choose(async (surroundings) => (await import('../runs/profiles.ts')).runProfiles(flags, surroundings)),
  );
}
