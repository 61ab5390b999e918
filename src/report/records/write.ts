import { describeCounts, describeFound } from '../counts.ts';
import { exitCodeOf, exitCodes, isResolved } from '../exit-code.ts';
import type { PodReport, SweepReport, WaitingPodReport } from '../schema.ts';
import { sidecarsOf } from '../sweep/planned.ts';
import { describeConclusion } from '../texts/outcomes.ts';
import { describeExclusion, describeHang } from '../texts/reasons.ts';
import { describeWarning } from '../texts/warnings.ts';
import {
  clusterFields,
  type Fields,
  type ListKind,
  listKinds,
  listOfKind,
  outcomeFields,
  ownerFields,
  podFields,
  warningFields,
} from './fields.ts';

/** What people and searches read of a record, besides its entry. */
interface Headline {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Fields;
}

type Entry<K extends ListKind> = NonNullable<SweepReport[(typeof listOfKind)[K]]>[number];

/** A report as records: one for each entry of its lists, and last the report itself with nothing in its lists. */
export function* toRecords(report: SweepReport): Iterable<object> {
  const { run, cluster } = report;
  let index = 0;
  const record = (kind: ListKind | 'Summary', { level, message, fields }: Headline, entry: object) => ({
    time: run.finishedAt,
    level,
    message,
    'run.id': run.id,
    'cluster.context': cluster.context,
    ...clusterFields(cluster),
    kind,
    index: index++,
    ...fields,
    entry,
  });
  for (const kind of listKinds) {
    const describe = headlines[kind] as (entry: object) => Headline;
    for (const entry of report[listOfKind[kind]] ?? []) yield record(kind, describe(entry), entry);
  }
  yield record('Summary', headlineOfSummary(report), withoutEntries(report));
}

const headlines: { readonly [K in ListKind]: (entry: Entry<K>) => Headline } = {
  Unread: ({ namespace, problem, message }) => ({
    level: 'error',
    message: `cannot list pods ${namespace === undefined ? 'in all namespaces' : `in namespace ${namespace}`}: ${message}`,
    fields: {
      'error.type': problem,
      ...(namespace !== undefined && { 'k8s.namespace.name': namespace }),
    },
  }),
  Undecided: (pod) => ({
    level: 'warn',
    message: `pod cannot be judged: ${pod.problem}`,
    fields: podFields(pod),
  }),
  Excluded: (pod) => ({
    level: 'info',
    message: `pod left alone: ${pod.because.map(describeExclusion).join('; ')}`,
    fields: { ...podFields(pod), reason: pod.because[0]?.kind },
  }),
  NeverStarted: (pod) => ({
    level: 'warn',
    message: `pod is stuck on a sidecar that never started: ${describeWaiting(pod)}`,
    fields: podFields(pod),
  }),
  NotStartedAgain: (pod) => ({
    level: 'warn',
    message: `pod is stuck on a sidecar that ended and cannot start again: ${describeWaiting(pod)}`,
    fields: podFields(pod),
  }),
  Hanging: (pod) => ({
    level: 'warn',
    message: `pod hangs: ${describeHang(pod.hang)}`,
    fields: { ...podFields(pod), reason: pod.hang.kind },
  }),
  Pod: (pod) => ({
    level: levelOf(pod),
    message: describeConclusion(pod.outcome, sidecarsOf(pod)),
    fields: {
      ...podFields(pod),
      ...(pod.node !== undefined && { 'k8s.node.name': pod.node }),
      ...ownerFields(pod.owner),
      ...outcomeFields(pod.outcome),
      ...(pod.harm && { harm: pod.harm.kind }),
    },
  }),
  Warning: (warning) => ({
    level: 'warn',
    message: describeWarning(warning),
    fields: warningFields(warning),
  }),
};

function headlineOfSummary(report: SweepReport): Headline {
  const { run, cluster, totals } = report;
  const how = run.stoppedEarly === undefined ? 'finished' : `stopped early (${run.stoppedEarly})`;
  const outcomes = totals.candidates > 0 ? `: ${describeCounts(totals.pods)}` : '';
  const stuck = `${totals.candidates} stuck${outcomes}`;
  return {
    level: summaryLevel(exitCodeOf(report)),
    message: `${run.dryRun ? 'dry run' : 'sweep'} ${how}: ${describeFound(totals.listed, report.unread, stuck)}`,
    fields: {
      'service.version': run.version,
      'cluster.server': cluster.server,
      'run.dryRun': run.dryRun,
      'run.durationMs': run.durationMs,
      ...(run.stoppedEarly && { 'run.stoppedEarly': run.stoppedEarly }),
    },
  };
}

function summaryLevel(exitCode: number): Headline['level'] {
  if (exitCode === exitCodes.resolved) return 'info';
  return exitCode === exitCodes.unresolved || exitCode === exitCodes.braked ? 'warn' : 'error';
}

function levelOf({ harm, outcome }: PodReport): Headline['level'] {
  if (harm && !harm.permitted) return 'error';
  return isResolved(outcome) ? 'info' : 'warn';
}

function describeWaiting({ waiting }: WaitingPodReport): string {
  return waiting.map(({ name, reason }) => `${name} (${reason})`).join(', ');
}

function withoutEntries(report: SweepReport): SweepReport {
  const present = listKinds.map((kind) => listOfKind[kind]).filter((list) => report[list] !== undefined);
  return { ...report, ...Object.fromEntries(present.map((list) => [list, []])) };
}
