import type { Command } from 'commander';
import { changedCatalogue } from '../../policy/policy.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { renderProfiles, reportProfiles } from '../../report/profiles/profiles.ts';
import { addOutputFlags, type OutputFlags, say } from '../output.ts';
import { loadPolicyFile } from '../policy.ts';
import type { Run, Surroundings } from '../surroundings.ts';

interface ProfilesFlags extends OutputFlags {
  readonly policy?: string;
}

/** `sidecar-sweeper profiles`: the known sidecars, and how to end each. */
export function defineProfiles(program: Command, choose: (run: Run) => void): void {
  const command = program
    .command('profiles')
    .description('print the catalogue: the known sidecars, and how each is ended')
    .option('--policy <file>', 'include the changes that this policy makes');
  addOutputFlags(command).action((flags: ProfilesFlags) =>
    choose((surroundings) => printProfiles(flags, surroundings)),
  );
}

async function printProfiles(flags: ProfilesFlags, surroundings: Surroundings): Promise<number> {
  const file = flags.policy === undefined ? undefined : loadPolicyFile(flags.policy);
  const list = reportProfiles(changedCatalogue(file));
  await say({ document: list, table: () => renderProfiles(list) }, flags, surroundings);
  return exitCodes.resolved;
}
