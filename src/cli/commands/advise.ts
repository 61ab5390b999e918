import { advise } from '../../advise.ts';
import { type Advice, admissionManifest, adviceView } from '../../report/advise.ts';
import { lookRecords } from '../../report/look.ts';
import type { FlagsOf } from '../flags.ts';
import type { Io } from '../io.ts';
import { type Printout, withVerbose } from '../output.ts';
import { runSearch } from './scan.ts';

export function runAdvise(flags: FlagsOf<'advise'>, io: Io): Promise<number> {
  const printout = (found: Advice): Printout => ({
    document: found,
    view: (style) => adviceView(found, withVerbose(style, flags)),
    manifest: () => admissionManifest(found),
    records: () => lookRecords(found, 'AdvisedOwner', found.owners),
  });
  return runSearch(advise, printout, flags, io);
}
