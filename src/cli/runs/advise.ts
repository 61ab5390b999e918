import { advise } from '../../advise.ts';
import { type Advice, adviceMarkdown, renderAdvice } from '../../report/advise.ts';
import { lookRecords } from '../../report/look-records.ts';
import type { Surroundings } from '../surroundings.ts';
import { type LookFlags, runLook } from './look.ts';

/** The advice on the cluster that the flags name. */
export function runAdvise(flags: LookFlags, surroundings: Surroundings): Promise<number> {
  const command = {
    look: advise,
    render: renderAdvice,
    markdown: adviceMarkdown,
    records: (found: Advice) => lookRecords(found, 'AdvisedOwner', found.owners),
  };
  return runLook(command, flags, surroundings);
}
