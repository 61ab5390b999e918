import { exitCodeOf } from '../../../../src/report/exit-code.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';

const fine = ['Ended', 'Gone', 'Replaced'];

/** What docs/reference/flags.md says of exit codes, read naively, compared with the code; a copy of the report must have the same. */
export function codeBySpec(report: SweepReport): readonly string[] {
  const code = exitCodeOf(report);
  const copied = exitCodeOf(JSON.parse(JSON.stringify(report)));
  const wanted = naiveCode(report);
  return [
    ...(copied === code ? [] : [`${code}, of a copy ${copied}`]),
    ...(wanted === code ? [] : [`${code}, and not ${wanted}`]),
  ];
}

function naiveCode({ pods, run, warnings, unread, neverStarted, notStartedAgain }: SweepReport): number {
  const left = pods.filter(
    ({ outcome }) =>
      !fine.includes(outcome.kind) &&
      !(outcome.kind === 'NotAttempted' && outcome.reason === 'DryRun') &&
      !(outcome.kind === 'Skipped' && outcome.reason.kind === 'NoLongerCandidate'),
  );
  if (run.stoppedEarly === 'InternalError') return 1;
  if (pods.some(({ harm }) => harm && !harm.permitted)) return 7;
  if (run.stoppedEarly) return 5;
  if (warnings.some(({ kind }) => kind === 'Braked')) return 6;
  if (unread.length > 0) return 3;
  const waiting = run.dryRun ? 0 : neverStarted.length + notStartedAgain.length;
  return left.length + waiting > 0 ? 4 : 0;
}
