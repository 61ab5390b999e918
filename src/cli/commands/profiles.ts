import type { Command } from 'commander';
import { describeCommand, groups } from '../help.ts';
import { addOutputFlags, formatsWithout } from '../output.ts';
import type { ProfilesFlags } from '../runs/profiles.ts';
import type { Run } from '../surroundings.ts';

/** `sidecar-sweeper profiles`: the known sidecars, and how to end each. */
export function defineProfiles(program: Command, choose: (run: Run) => void): void {
  const command = describeCommand(
    program.command('profiles'),
    'print the catalogue: the known sidecars, and how each is ended',
    [
      ['profiles istio-proxy', 'one of them'],
      ['profiles -o name', 'the names of all'],
    ],
  )
    .argument('[profiles...]', 'only these: names of profiles, or of containers (default: all)')
    .optionsGroup(groups.ending)
    .option('--policy <file>', 'include the changes that this policy makes');
  addOutputFlags(command, formatsWithout('wide')).action((names: readonly string[], flags: ProfilesFlags) =>
    choose(async (surroundings) =>
      (await import('../runs/profiles.ts')).runProfiles(names, flags, surroundings),
    ),
  );
}
