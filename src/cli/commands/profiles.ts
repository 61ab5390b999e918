import type { Command } from 'commander';
import { changedCatalogue } from '../../policy/policy.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { safeJson } from '../../report/json.ts';
import { renderProfiles } from '../../report/profiles.ts';
import { addOutputFlags, type OutputFlags } from '../flags.ts';
import { loadPolicyFile } from '../policy.ts';
import { print, type Run, type Surroundings } from '../surroundings.ts';

interface ProfilesFlags extends OutputFlags {
  readonly policy?: string;
}

/** `sidecar-sweeper profiles`: the sidecars that are known, and how each is asked to end. */
export function defineProfiles(program: Command, choose: (run: Run) => void): void {
  addOutputFlags(
    program
      .command('profiles')
      .description('print the catalogue: which sidecars are known, and how each is asked to end')
      .option('--policy <file>', 'as this policy changes it'),
  ).action((flags: ProfilesFlags) => choose((surroundings) => printProfiles(flags, surroundings)));
}

async function printProfiles({ output, policy }: ProfilesFlags, { stdout }: Surroundings): Promise<number> {
  const profiles = changedCatalogue(policy === undefined ? undefined : loadPolicyFile(policy));
  const isTable = (output ?? (stdout.isTTY ? 'table' : 'json')) === 'table';
  await print(stdout, isTable ? renderProfiles(profiles) : `${safeJson(profiles, 2)}\n`);
  return exitCodes.resolved;
}
