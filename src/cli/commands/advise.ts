import { advise } from '../../advise.ts';
import { admissionManifest, adviceView } from '../../report/advise.ts';
import { foundRecords } from '../../report/judged-pods.ts';
import type { FlagsOf } from '../flags.ts';
import type { Io } from '../io.ts';
import { kubectlAlike } from '../next-step.ts';
import { withVerbose } from '../output.ts';
import { runSearch } from './scan.ts';

export function runAdvise(flags: FlagsOf<'advise'>, io: Io): Promise<number> {
  return runSearch(advise, flags, io, (found) => ({
    document: found,
    view: (style) => adviceView(found, withVerbose(style, flags), kubectlAlike(flags)),
    manifest: () => admissionManifest(found),
    records: () => foundRecords(found),
  }));
}
