import { advise } from '../../advise.ts';
import { type Advice, AdviceFold } from '../../report/advise/advice.ts';
import { adviceMarkdown } from '../../report/advise/markdown.ts';
import { renderAdvice } from '../../report/advise/text.ts';
import { lookRecords } from '../../report/look-records.ts';
import type { Surroundings } from '../surroundings.ts';
import { type LookFlags, runLook } from './look.ts';

/** The advice on each cluster that the flags name. */
export function runAdvise(flags: LookFlags, surroundings: Surroundings): Promise<number> {
  const command = {
    look: advise,
    fold: () => new AdviceFold(),
    listKind: 'AdviceList',
    render: renderAdvice,
    markdown: adviceMarkdown,
    records: (found: Advice) => lookRecords(found, 'AdvisedOwner', found.owners),
  };
  return runLook(command, flags, surroundings);
}
