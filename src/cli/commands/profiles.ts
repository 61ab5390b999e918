import { changedCatalogue } from '../../policy/policy.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { profilesNamed, profilesView, reportProfiles } from '../../report/profiles.ts';
import { didYouMean } from '../../util/text.ts';
import { UsageError } from '../../util/usage-error.ts';
import type { FlagsOf } from '../flags.ts';
import type { Io } from '../io.ts';
import { printOut } from '../output.ts';
import { loadPolicyFile } from '../policy.ts';

export async function runProfiles(names: readonly string[], flags: FlagsOf<'profiles'>, io: Io) {
  const catalogue = changedCatalogue(flags.policy === undefined ? undefined : loadPolicyFile(flags.policy));
  const { found, unknown } = profilesNamed(names, catalogue);
  const known = catalogue.map(({ name }) => name);
  for (const name of unknown) {
    throw new UsageError(`there is no profile ${name}${didYouMean(name, known)}; profiles -o name lists all`);
  }
  const list = reportProfiles(names.length > 0 ? found : catalogue);
  const printout = {
    document: list,
    view: () => profilesView(list),
    records: () => list.profiles,
    names: () => list.profiles.map(({ name }) => name),
  };
  await printOut(printout, flags, io);
  return exitCodes.resolved;
}
