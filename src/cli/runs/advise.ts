import { advise } from '../../advise.ts';
import { AdviceFold } from '../../report/advise/advice.ts';
import { renderAdvice } from '../../report/advise/text.ts';
import type { Surroundings } from '../surroundings.ts';
import { type LookFlags, runLook } from './look.ts';

/** The advice on each cluster that the flags name. */
export function runAdvise(flags: LookFlags, surroundings: Surroundings): Promise<number> {
  const command = {
    look: advise,
    fold: () => new AdviceFold(),
    listKind: 'AdviceList',
    render: renderAdvice,
  };
  return runLook(command, flags, surroundings);
}
