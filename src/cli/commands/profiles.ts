import type { Command } from 'commander';
import { fileName } from '../flags/values.ts';
import { describeCommand, groups } from '../help.ts';
import { addOutputFlags, formatsWithout } from '../output.ts';
import type { ProfilesFlags } from '../runs/profiles.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper profiles`: the known sidecars, and how to end each. */
export function defineProfiles(program: Command, choose: (run: Run) => void): void {
  const command = describeCommand(
    program.command('profiles'),
    'print the known sidecars, and how each is ended',
    [
      ['profiles istio-proxy', 'print one of them'],
      ['profiles -o name', 'print the names of all'],
    ],
  )
    .argument('[profiles...]', 'names of profiles, or of containers (default: all)')
    .optionsGroup(groups.ending)
    .option('--policy <file>', 'include the changes that this policy makes', fileName);
  addOutputFlags(command, formatsWithout('wide')).action((names: readonly string[], flags: ProfilesFlags) =>
    choose(async (surroundings) =>
      (await import('../runs/profiles.ts')).runProfiles(names, flags, surroundings),
    ),
  );
}
