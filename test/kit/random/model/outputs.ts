import { exitCodeOf } from '../../../../src/report/exit-code.ts';
import { toLine } from '../../../../src/report/records/line.ts';
import { toRecords } from '../../../../src/report/records/write.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';

/** Where the totals of a report do not add up, or containers have no outcome or two. */
export function miscounted({ totals, pods }: SweepReport): readonly string[] {
  const { listed, otherShards, excluded, undecided, neverStarted, notStartedAgain, hanging, candidates } =
    totals;
  const judged =
    otherShards + excluded + undecided + neverStarted + notStartedAgain + sum(hanging) + candidates;
  const sidecars = pods.flatMap(({ uid, containers }) =>
    containers.flatMap(({ role, name }) => (role === 'Sidecar' ? [`${uid} ${name}`] : [])),
  );
  return [
    ...(judged === listed ? [] : [`${listed} were listed, ${judged} are counted`]),
    ...(sum(totals.pods) === candidates ? [] : [`${candidates} candidates, ${sum(totals.pods)} outcomes`]),
    ...(sum(totals.sidecars) === sidecars.length ? [] : [`${sidecars.length} sidecars, and other outcomes`]),
    ...sidecars.filter((one, index) => sidecars.indexOf(one) !== index).map((one) => `${one} is there twice`),
  ];
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((all, one) => all + one, 0);
}

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

/** Control characters, what other readers take for the end of a line, and marks that turn text around. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** What is wrong with the lines of a log, and of the records of a report. */
export function problemsOfLog(log: string, report: SweepReport): readonly string[] {
  const records = [...toRecords(report)].map(toLine).join('');
  return `${log}${records}`.split('\n').flatMap((line) => {
    if (line === '') return [];
    if (unprintable.test(line)) return [`raw characters: ${JSON.stringify(line)}`];
    return isObject(line) ? [] : [`no JSON object: ${line}`];
  });
}

export function secretsIn(text: string, secret: string): readonly string[] {
  const at = text.indexOf(secret);
  return at < 0 ? [] : [`${text.slice(Math.max(0, at - 80), at)}<the token>`];
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
