import { formatDuration } from '../../util/time.ts';
import { elapsed, many, minuteOf } from '../format.ts';
import { groupsOf } from '../groups.ts';
import { distinct, type KnownCluster, knownClusters } from '../history/sweeps.ts';
import { inShort, type TitledTable } from '../history/view.ts';
import type { PodReport, SweepReport } from '../schema.ts';
import { sidecarsOf } from '../sweep/planned.ts';
import { describeContainer, describeEnd, harms } from '../texts/outcomes.ts';
import { describeHang, describeRemark, pageOf, reasonPages } from '../texts/reasons.ts';
import { describeUnreadPart, describeWarning } from '../texts/warnings.ts';
import { amount, type Field, table } from '../view.ts';

/** A report whose cluster has a name that no other cluster of the page has. */
export type PageReport = SweepReport & { readonly cluster: KnownCluster };

/** Each report once, the last one first. */
export function pageReports(reports: readonly SweepReport[]): readonly PageReport[] {
  const clusterOf = knownClusters(reports.map(({ cluster }) => cluster));
  return distinct(reports)
    .map((report) => ({ ...report, cluster: clusterOf(report.cluster) }))
    .reverse();
}

/** The last sweep of each cluster, each of whose shards has a report of its own. */
export function lastOfEach(reports: readonly PageReport[]): readonly PageReport[] {
  return groupsOf(reports, ({ cluster }) => cluster.id).flatMap((own) => {
    const [{ scope }] = own;
    const alike = own.filter((one) => one.scope.shard?.of === scope.shard?.of);
    return groupsOf(alike, (one) => `${one.scope.shard?.index}`).map(([last]) => last);
  });
}

interface Found {
  readonly pod: Pick<PodReport, 'namespace' | 'name' | 'owner'>;
  readonly report: PageReport;
}

const cluster: Field<Pick<Found, 'report'>> = { title: 'CLUSTER', of: ({ report }) => report.cluster.name };
const place: readonly Field<Found>[] = [
  cluster,
  { title: 'POD', isName: true, of: ({ pod }) => `${pod.namespace}/${pod.name}` },
  { title: 'OWNER', of: ({ pod: { owner } }) => (owner ? `${owner.kind} ${owner.name}` : '') },
];

export function podsTable(reports: readonly PageReport[]): TitledTable {
  const all = reports.flatMap((report) => report.pods.map((pod) => ({ pod, report })));
  const last = groupsOf(all, ({ pod, report }) => `${report.cluster.id} ${pod.uid}`).map(([first]) => first);
  return {
    id: 'pods-table',
    title: 'Every pod that a sweep found stuck, as its last sweep left it',
    ...table(last, [
      ...place,
      {
        title: 'STUCK FOR',
        isNumber: true,
        of: ({ pod, report }) => elapsed(pod.mainsEndedAt, report.asOf),
      },
      {
        title: 'SIDECARS',
        isProse: true,
        of: ({ pod }) =>
          sidecarsOf(pod)
            .map(({ name, outcome }) => `${name}: ${inShort(describeContainer(outcome))}`)
            .join('\n'),
      },
      {
        title: 'POD NOW',
        of: ({ pod: { outcome, harm } }) =>
          `${describeEnd(outcome)}${harm ? `, harm: ${harms[harm.kind]}` : ''}`,
      },
      amount('CORES', ({ pod }) => pod.requests.cpu),
      amount('GIB', ({ pod }) => pod.requests.memory / 2 ** 30),
    ]),
  };
}

export function hangingTable(reports: readonly PageReport[]): TitledTable {
  const all = lastOfEach(reports).flatMap((report) => report.hanging.map((pod) => ({ pod, report })));
  return {
    id: 'hanging-table',
    title: 'Sent nothing to, because no sidecar keeps them from ending',
    ...table(all, [
      ...place,
      { title: 'FOR', isNumber: true, of: ({ pod, report }) => elapsed(pod.since, report.asOf) },
      {
        title: 'WHY',
        isProse: true,
        of: ({ pod }) => [describeHang(pod.hang), ...pod.remarks.map(describeRemark)].join('\n'),
      },
      { title: 'SEE', of: ({ pod }) => pageOf(pod.hang.kind) },
    ]),
  };
}

export function leftAloneTable(reports: readonly PageReport[]): TitledTable {
  const found = lastOfEach(reports).flatMap((report) =>
    Object.entries(report.totals.excludedBecause).map(([reason, pods]) => ({ report, reason, pods })),
  );
  const all = groupsOf(found, ({ report, reason }) => `${report.cluster.id} ${reason}`);
  return {
    id: 'left-alone-table',
    title: 'Pods that the last sweep of each cluster left alone, by reason',
    ...table(all, [
      amount('PODS', (alike) => alike.reduce((sum, { pods }) => sum + pods, 0)),
      { title: 'REASON', isName: true, of: ([{ reason }]) => reason },
      { title: 'WHAT IT MEANS', isProse: true, of: ([{ reason }]) => reasonPages.get(reason)?.title ?? '' },
      { title: 'CLUSTER', of: ([first]) => cluster.of(first) },
    ]),
  };
}

export function sweepsTable(reports: readonly PageReport[]): TitledTable {
  return {
    id: 'sweeps-table',
    title: 'Sweeps, the last one first',
    ...table(reports, [
      { title: 'STARTED', isName: true, of: ({ run }) => minuteOf(run.startedAt) },
      { title: 'CLUSTER', isName: true, of: ({ cluster }) => cluster.name },
      { title: 'TOOK', isNumber: true, of: ({ run }) => formatDuration(run.durationMs) },
      amount('LISTED', ({ totals }) => totals.listed),
      amount('STUCK', ({ totals }) => totals.candidates),
      amount('ENDED', ({ pods }) => pods.filter(({ outcome }) => ended.includes(outcome.kind)).length),
      amount('HARMED', ({ pods }) => pods.filter(({ harm }) => harm).length),
      { title: 'NOTES', isProse: true, of: notesOnSweep },
    ]),
  };
}

const ended: readonly PodReport['outcome']['kind'][] = ['Ended', 'Unsettled', 'Gone', 'Replaced'];

function notesOnSweep({ run, unread, warnings }: SweepReport): string {
  return [
    ...(run.dryRun ? ['dry run'] : []),
    ...(run.stoppedEarly ? [`stopped early: ${run.stoppedEarly}`] : []),
    ...(unread.length > 0 ? [`${many(unread.length, 'part')} unread`] : []),
    ...(warnings.length > 0 ? [many(warnings.length, 'warning')] : []),
  ].join(', ');
}

export function notesOf({ unread, undecided, warnings }: SweepReport): readonly string[] {
  return [
    ...unread.map(describeUnreadPart),
    ...undecided.map(({ namespace, name, problem }) => `${namespace}/${name} cannot be judged: ${problem}`),
    ...warnings.filter(({ kind }) => kind !== 'Blocked').map(describeWarning),
  ];
}
