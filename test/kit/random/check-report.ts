import { exitCodeOf } from '../../../src/report/exit-code.ts';
import { toLine } from '../../../src/report/json.ts';
import { toRecords } from '../../../src/report/records/write.ts';
import { type SweepReport, sweepReport } from '../../../src/report/schema.ts';

/** What is wrong with a report by itself; `secret` must not be in it. */
export function problemsOfReport(report: SweepReport, secret: string): readonly string[] {
  const { error } = sweepReport.safeParse(report);
  const lines = [...toRecords(report)].map(toLine).join('');
  const [code, wanted] = [exitCodeOf(report), naiveCode(report)];
  return [
    ...(error ? [`the report does not match its schema: ${error.message}`] : []),
    ...miscounted(report),
    ...(code === wanted ? [] : [`the exit code is ${code}, and not ${wanted}`]),
    ...(lines.includes(secret) ? ['the report contains the token'] : []),
    ...(unprintable.test(lines.replaceAll('\n', '')) ? ['the report has raw control characters'] : []),
  ];
}

/** Control characters, what other readers take for the end of a line, and marks that turn text around. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Where totals do not add up, or sidecars have no outcome or two. */
function miscounted({ totals, pods }: SweepReport): readonly string[] {
  const { listed, otherShards, excluded, undecided, neverStarted, notStartedAgain, hanging, candidates } =
    totals;
  const judged =
    otherShards + excluded + undecided + neverStarted + notStartedAgain + sum(hanging) + candidates;
  const sidecars = pods.flatMap(({ containers }) => containers.filter(({ role }) => role === 'Sidecar'));
  return [
    ...(judged === listed ? [] : [`${listed} were listed, ${judged} are counted`]),
    ...(sum(totals.pods) === candidates ? [] : [`${candidates} candidates, ${sum(totals.pods)} outcomes`]),
    ...(sum(totals.sidecars) === sidecars.length ? [] : [`${sidecars.length} sidecars, and other outcomes`]),
  ];
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((all, one) => all + one, 0);
}

const fine = ['Ended', 'Gone', 'Replaced'];

/** What docs/reference/flags.md says of exit codes, read naively. */
function naiveCode({ pods, run, unread, neverStarted, notStartedAgain }: SweepReport): number {
  const left = pods.filter(
    ({ outcome }) =>
      !fine.includes(outcome.kind) &&
      !(outcome.kind === 'Skipped' && outcome.reason.kind === 'NoLongerCandidate'),
  );
  if (pods.some(({ harm }) => harm && !harm.permitted)) return 7;
  if (run.stoppedEarly) return 5;
  if (unread.length > 0) return 3;
  return left.length + neverStarted.length + notStartedAgain.length > 0 ? 4 : 0;
}
