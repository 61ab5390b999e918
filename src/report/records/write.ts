import type { PodName } from '../../model/pod.ts';
import { exitCodeOf, exitCodes, isResolved } from '../exit-code.ts';
import { isTooLong } from '../json.ts';
import type { WaitingPodReport } from '../scan-schema.ts';
import type { PodReport, SweepReport } from '../schema.ts';
import { hasFailed, sidecarsOf } from '../sweep/planned.ts';
import { describeResult } from '../sweep/view.ts';
import { describeConclusion, describePod } from '../texts/outcomes.ts';
import { describeVerdict } from '../texts/reasons.ts';
import { describeWarning } from '../texts/warnings.ts';
import { kindOfPod, toDifference } from './alike.ts';
import {
  about,
  clusterFields,
  type Fields,
  type ListKind,
  listKinds,
  listOfKind,
  ownerFields,
  podFields,
  warningFields,
  wordOf,
} from './fields.ts';

/** The parts of a record beside its entry, for people and searches. */
interface Headline {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Fields;
}

type Entry<K extends ListKind> = NonNullable<SweepReport[(typeof listOfKind)[K]]>[number];

/** A report as records: one for each entry of its lists, and last the report itself with nothing in its lists. */
export function* toRecords(report: SweepReport, exitCode = exitCodeOf(report)): Iterable<object> {
  const { run, cluster } = report;
  const place = { 'cluster.context': cluster.context, ...clusterFields(cluster) };
  const firsts = new Map<string, { readonly pod: PodReport; readonly index: number }>();
  let index = 0;
  const record = (
    kind: ListKind | 'Summary',
    { level, message, fields }: Headline,
    entry: unknown,
    like?: number,
  ) => ({
    ...{ time: run.finishedAt, level, message, 'run.id': run.id, kind, index },
    ...(like === undefined ? place : { like }),
    ...fields,
    entry,
  });
  const recordOfPod = (pod: PodReport) => {
    const first = firsts.get(kindOfPod(pod));
    const brief = headlineOfPod(pod, describePod(pod.outcome));
    const like = first && record('Pod', brief, toDifference(first.pod, pod), first.index);
    if (like && !isTooLong(like)) return like;
    const message = about(pod, describeConclusion(pod.outcome, sidecarsOf(pod), hasFailed(pod)));
    const whole = record('Pod', headlineOfPod(pod, message), pod);
    // A record whose line leaves parts out cannot stand for others.
    if (!first && !isTooLong(whole)) firsts.set(kindOfPod(pod), { pod, index });
    return whole;
  };
  for (const kind of listKinds) {
    const describe = kind === 'Pod' ? undefined : (headlines[kind] as (entry: object) => Headline);
    for (const entry of report[listOfKind[kind]] ?? []) {
      yield describe ? record(kind, describe(entry), entry) : recordOfPod(entry as PodReport);
      index++;
    }
  }
  const lists = listKinds.map((kind) => listOfKind[kind]).filter((list) => report[list] !== undefined);
  const emptied = { ...report, ...Object.fromEntries(lists.map((list) => [list, []])) };
  yield record('Summary', headlineOfSummary(report, exitCode), emptied);
}

function headlineOfPod(pod: PodReport, message: string): Headline {
  const place = { ...podFields(pod), 'k8s.node.name': pod.node, ...ownerFields(pod.owner) };
  const fields = { ...place, ...wordOf(pod.outcome), harm: pod.harm?.kind };
  return { level: levelOf(pod), message, fields };
}

const headlines: { readonly [K in Exclude<ListKind, 'Pod'>]: (entry: Entry<K>) => Headline } = {
  Unread: (part) => ({
    level: 'error',
    message: part.message,
    fields: { 'error.type': part.problem, 'k8s.namespace.name': part.namespace },
  }),
  Undecided: (pod) => found(pod, describeVerdict({ kind: 'Undecided', ...pod })),
  Excluded: (pod) => ({
    ...found(pod, describeVerdict({ kind: 'Excluded', ...pod }), pod.because[0]?.kind),
    level: 'info',
  }),
  NeverStarted: (pod) => found(pod, describeWaiting('NeverStarted', pod)),
  NotStartedAgain: (pod) => found(pod, describeWaiting('NotStartedAgain', pod)),
  Hanging: (pod) => found(pod, describeVerdict({ kind: 'Hanging', ...pod }), pod.hang.kind),
  Warning: (warning) => ({
    level: 'warn',
    message: describeWarning(warning),
    fields: warningFields(warning),
  }),
};

function found(pod: PodName & { readonly uid?: string }, what: string, reason?: string): Headline {
  return { level: 'warn', message: about(pod, what), fields: { ...podFields(pod), reason } };
}

function describeWaiting(kind: 'NeverStarted' | 'NotStartedAgain', { waiting }: WaitingPodReport): string {
  const sidecars = waiting.map(({ name, reason }) => `${name} (${reason})`).join(', ');
  return `${describeVerdict({ kind })}: ${sidecars}`;
}

function headlineOfSummary(report: SweepReport, exitCode: number): Headline {
  const { run, cluster } = report;
  return {
    level: summaryLevel(exitCodeOf(report)),
    message: describeResult(report),
    fields: {
      'process.exit.code': exitCode,
      'service.version': run.version,
      'cluster.server': cluster.server,
      'run.dryRun': run.dryRun,
      'run.durationMs': run.durationMs,
      'run.stoppedEarly': run.stoppedEarly,
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
