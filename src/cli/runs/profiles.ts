import { changedCatalogue } from '../../policy/policy.ts';
import type { Style } from '../../report/columns.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { profilesMarkdown } from '../../report/profiles/markdown.ts';
import { profilesNamed, renderProfiles, reportProfiles } from '../../report/profiles/profiles.ts';
import { didYouMean } from '../../util/text.ts';
import { UsageError } from '../../util/usage-error.ts';
import { type OutputFlags, say } from '../output.ts';
import { loadPolicyFile } from '../policy.ts';
import type { Surroundings } from '../surroundings.ts';

export interface ProfilesFlags extends OutputFlags {
  readonly policy?: string;
}

export async function runProfiles(
  names: readonly string[],
  flags: ProfilesFlags,
  surroundings: Surroundings,
): Promise<number> {
  const catalogue = changedCatalogue(flags.policy === undefined ? undefined : loadPolicyFile(flags.policy));
  const { found, unknown } = profilesNamed(names, catalogue);
  const [first] = unknown;
  if (first !== undefined) {
    const known = catalogue.map(({ name }) => name);
    throw new UsageError(
      `there is no profile ${first}${didYouMean(first, known)}; profiles -o name lists all`,
    );
  }
  const list = reportProfiles(names.length > 0 ? found : catalogue);
  const said = {
    document: list,
    table: (style: Style) => renderProfiles(list, style),
    markdown: () => profilesMarkdown(list),
    records: () => list.profiles,
    names: () => list.profiles.map(({ name }) => name),
  };
  await say(said, flags, surroundings);
  return exitCodes.resolved;
}
