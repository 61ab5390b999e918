import { changedCatalogue } from '../../policy/policy.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { renderProfiles, reportProfiles } from '../../report/profiles/profiles.ts';
import { type OutputFlags, say } from '../output.ts';
import { loadPolicyFile } from '../policy.ts';
import type { Surroundings } from '../surroundings.ts';

export interface ProfilesFlags extends OutputFlags {
  readonly policy?: string;
}

export async function runProfiles(flags: ProfilesFlags, surroundings: Surroundings): Promise<number> {
  const file = flags.policy === undefined ? undefined : loadPolicyFile(flags.policy);
  const list = reportProfiles(changedCatalogue(file));
  await say({ document: list, table: (style) => renderProfiles(list, style) }, flags, surroundings);
  return exitCodes.resolved;
}
