import { exclusion } from '../../model/verdict.ts';
import { formatDuration } from '../../util/time.ts';
import { elapsed, many, minuteOf, number } from '../format.ts';
import { Clusters, type KnownCluster } from '../history/clusters.ts';
import { distinct } from '../history/sweeps.ts';
import type { PodReport, SweepReport } from '../schema.ts';
import { sidecarsOf } from '../sweep/planned.ts';
import { describeContainer, describeJob, describePod, harms } from '../texts/outcomes.ts';
import { describeHang, describeRemark } from '../texts/reasons.ts';
import { describeWarning } from '../texts/warnings.ts';
import type { PageTable } from './table.tsx';

const gib = 2 ** 30;

/** A report whose cluster has a name that no other cluster of the page has. */
export type PageReport = SweepReport & { readonly cluster: KnownCluster };

/** Each report once, the last one first. */
export function pageReports(reports: readonly SweepReport[]): readonly PageReport[] {
  const clusters = new Clusters(reports.map(({ cluster }) => cluster));
  return distinct(reports)
    .map((report) => ({ ...report, cluster: clusters.of(report.cluster) }))
    .reverse();
}

/** The last report of each cluster. */
export function lastOfEach(reports: readonly PageReport[]): readonly PageReport[] {
  return [...new Map([...reports].reverse().map((one) => [one.cluster.id, one])).values()];
}

/** Every pod that a sweep found stuck, in the last report that has it. */
export function podsTable(reports: readonly PageReport[]): PageTable {
  const pods = new Map<string, readonly string[]>();
  for (const { cluster, run, pods: found } of reports) {
    for (const pod of found) {
      const { uid, requests, outcome, mainsEndedAt } = pod;
      const key = `${cluster.id} ${uid}`;
      if (pods.has(key)) continue;
      pods.set(key, [
        cluster.name,
        nameOf(pod),
        ownerOf(pod),
        elapsed(mainsEndedAt, run.asOf),
        sidecarsOf(pod)
          .map((one) => `${one.name}: ${describeContainer(one.outcome)}`)
          .join('\n'),
        [describePod(outcome), jobOf(pod)].filter((text) => text !== '').join(', '),
        number(requests.cpu),
        number(requests.memory / gib),
      ]);
    }
  }
  return {
    id: 'pods-table',
    title: 'Every pod that a sweep found stuck, as its last sweep left it',
    columns: [
      { title: 'CLUSTER' },
      { title: 'POD', isName: true },
      { title: 'OWNER' },
      { title: 'STUCK FOR', isNumber: true },
      { title: 'SIDECARS', isProse: true },
      { title: 'POD NOW' },
      { title: 'CORES', isNumber: true },
      { title: 'GIB', isNumber: true },
    ],
    rows: [...pods.values()],
  };
}

function nameOf({ namespace, name }: Pick<PodReport, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}

function ownerOf({ owner }: Pick<PodReport, 'owner'>): string {
  return owner ? `${owner.kind} ${owner.name}` : '';
}

function jobOf({ outcome, harm }: PodReport): string {
  const job = 'job' in outcome ? describeJob(outcome.job) : '';
  return [...(job === '' ? [] : [`Job ${job}`]), ...(harm ? [`harm: ${harms[harm.kind]}`] : [])].join(', ');
}

/** The pods that hang for a reason that a sweep does not cure. */
export function hangingTable(reports: readonly PageReport[]): PageTable {
  return {
    id: 'hanging-table',
    title: 'Sent nothing to, because no sidecar keeps them from ending',
    columns: [
      { title: 'CLUSTER' },
      { title: 'POD', isName: true },
      { title: 'OWNER' },
      { title: 'FOR', isNumber: true },
      { title: 'WHY', isProse: true },
      { title: 'SEE' },
    ],
    rows: lastOfEach(reports).flatMap(({ cluster, run, hanging }) =>
      hanging.map((pod) => [
        cluster.name,
        nameOf(pod),
        ownerOf(pod),
        elapsed(pod.since, run.asOf),
        [describeHang(pod.hang), ...pod.remarks.map(describeRemark)].join('\n'),
        pod.page,
      ]),
    ),
  };
}

/** How many pods the last sweep of each cluster left alone, and why. */
export function leftAloneTable(reports: readonly PageReport[]): PageTable {
  const meanings = new Map<string, string>(
    exclusion.options.map(({ shape, description = '' }) => [shape.kind.value, description]),
  );
  return {
    id: 'left-alone-table',
    title: 'Pods that the last sweep of each cluster left alone, by reason',
    columns: [
      { title: 'PODS', isNumber: true },
      { title: 'REASON', isName: true },
      { title: 'WHAT IT MEANS', isProse: true },
      { title: 'CLUSTER' },
    ],
    rows: lastOfEach(reports).flatMap(({ cluster, totals }) =>
      Object.entries(totals.excludedBecause).map(([reason, pods]) => [
        number(pods),
        reason,
        meanings.get(reason) ?? '',
        cluster.name,
      ]),
    ),
  };
}

/** What could not be read or judged, and the warnings. */
export function notesOf({ unread, undecided, warnings }: SweepReport): readonly string[] {
  return [
    ...unread.map(
      ({ namespace = 'all namespaces', message }) => `cannot list pods in ${namespace}: ${message}`,
    ),
    ...undecided.map((pod) => `${nameOf(pod)} cannot be judged: ${pod.problem}`),
    ...warnings.map(describeWarning),
  ];
}

export function sweepsTable(reports: readonly PageReport[]): PageTable {
  return {
    id: 'sweeps-table',
    title: 'Sweeps, the last one first',
    columns: [
      { title: 'STARTED', isName: true },
      { title: 'CLUSTER', isName: true },
      { title: 'TOOK', isNumber: true },
      { title: 'LISTED', isNumber: true },
      { title: 'STUCK', isNumber: true },
      { title: 'ENDED', isNumber: true },
      { title: 'HARMED', isNumber: true },
      { title: 'NOTES', isProse: true },
    ],
    rows: reports.map(({ run, cluster, totals, pods, unread, warnings }) => [
      minuteOf(run.startedAt),
      cluster.name,
      formatDuration(run.durationMs),
      number(totals.listed),
      number(totals.candidates),
      number(pods.filter(({ outcome }) => hasEnded.has(outcome.kind)).length),
      number(pods.filter(({ harm }) => harm).length),
      [
        ...(run.dryRun ? ['dry run'] : []),
        ...(run.stoppedEarly ? [`stopped early: ${run.stoppedEarly}`] : []),
        ...(unread.length > 0 ? [`${many(unread.length, 'part')} unread`] : []),
        ...(warnings.length > 0 ? [many(warnings.length, 'warning')] : []),
      ].join(', '),
    ]),
  };
}

const hasEnded: ReadonlySet<PodReport['outcome']['kind']> = new Set([
  'Ended',
  'Unsettled',
  'Gone',
  'Replaced',
]);
