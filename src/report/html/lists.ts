import { formatDuration } from '../../util/time.ts';
import { elapsed, many, minuteOf, number } from '../format.ts';
import { groupsOf } from '../groups.ts';

import { distinct, type KnownCluster, knownClusters } from '../history/sweeps.ts';
import { inShort, type TitledTable } from '../history/view.ts';
import type { PodReport, SweepReport } from '../schema.ts';
import { sidecarsOf } from '../sweep/planned.ts';
import { describeContainer, describeEnd, harms } from '../texts/outcomes.ts';
import { describeHang, describeRemark, pageOf, reasonPages } from '../texts/reasons.ts';
import { describeUnreadPart, describeWarning } from '../texts/warnings.ts';
import { type Field, table } from '../view.ts';

const gib = 2 ** 30;

/** A report whose cluster has a name that no other cluster of the page has. */
export type PageReport = SweepReport & { readonly cluster: KnownCluster };

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
    const shards = new Set<number | undefined>();
    const end = own.findIndex(({ scope: { shard } }) => {
      const isOther = shard?.of !== scope.shard?.of || shards.has(shard?.index);
      shards.add(shard?.index);
      return isOther;
    });
    return end < 0 ? own : own.slice(0, end);
  });
}

export function podsTable(reports: readonly PageReport[]): TitledTable {
  const pods = new Map<string, { readonly pod: PodReport; readonly report: PageReport }>();
  for (const report of reports) {
    for (const pod of report.pods) {
      const key = `${report.cluster.id} ${pod.uid}`;
      if (!pods.has(key)) pods.set(key, { pod, report });
    }
  }
  return {
    id: 'pods-table',
    title: 'Every pod that a sweep found stuck, as its last sweep left it',
    ...table(
      [...pods.values()],
      [
        clusterField,
        { title: 'POD', isName: true, of: ({ pod }) => nameOf(pod) },
        { title: 'OWNER', of: ({ pod }) => ownerOf(pod) },
        {
          title: 'STUCK FOR',
          isNumber: true,
          of: ({ pod, report }) => elapsed(pod.mainsEndedAt, report.run.asOf),
        },
        { title: 'SIDECARS', isProse: true, of: ({ pod }) => describeSidecars(pod) },
        { title: 'POD NOW', of: ({ pod }) => describeNow(pod) },
        { title: 'CORES', isNumber: true, of: ({ pod }) => number(pod.requests.cpu) },
        { title: 'GIB', isNumber: true, of: ({ pod }) => number(pod.requests.memory / gib) },
      ],
    ),
  };
}

const clusterField: Field<{ readonly report: PageReport }> = {
  title: 'CLUSTER',
  of: ({ report }) => report.cluster.name,
};

function describeSidecars(pod: PodReport): string {
  return sidecarsOf(pod)
    .map(({ name, outcome }) => `${name}: ${inShort(describeContainer(outcome))}`)
    .join('\n');
}

function nameOf({ namespace, name }: Pick<PodReport, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}

function ownerOf({ owner }: Pick<PodReport, 'owner'>): string {
  return owner ? `${owner.kind} ${owner.name}` : '';
}

function describeNow({ outcome, harm }: PodReport): string {
  return `${describeEnd(outcome)}${harm ? `, harm: ${harms[harm.kind]}` : ''}`;
}

export function hangingTable(reports: readonly PageReport[]): TitledTable {
  const all = lastOfEach(reports).flatMap((report) => report.hanging.map((pod) => ({ pod, report })));
  return {
    id: 'hanging-table',
    title: 'Sent nothing to, because no sidecar keeps them from ending',
    ...table(all, [
      clusterField,
      { title: 'POD', isName: true, of: ({ pod }) => nameOf(pod) },
      { title: 'OWNER', of: ({ pod }) => ownerOf(pod) },
      { title: 'FOR', isNumber: true, of: ({ pod, report }) => elapsed(pod.since, report.run.asOf) },
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
  const all = groupsOf(found, ({ report, reason }) => `${report.cluster.id} ${reason}`).map((alike) => ({
    ...alike[0],
    pods: alike.reduce((sum, { pods }) => sum + pods, 0),
  }));
  return {
    id: 'left-alone-table',
    title: 'Pods that the last sweep of each cluster left alone, by reason',
    ...table(all, [
      { title: 'PODS', isNumber: true, of: ({ pods }) => number(pods) },
      { title: 'REASON', isName: true, of: ({ reason }) => reason },
      { title: 'WHAT IT MEANS', isProse: true, of: ({ reason }) => reasonPages.get(reason)?.title ?? '' },
      clusterField,
    ]),
  };
}

export function notesOf({ unread, undecided, warnings }: SweepReport): readonly string[] {
  return [
    ...unread.map(describeUnreadPart),
    ...undecided.map((pod) => `${nameOf(pod)} cannot be judged: ${pod.problem}`),
    // What is blocked stands with what kept pods running.
    ...warnings.filter(({ kind }) => kind !== 'Blocked').map(describeWarning),
  ];
}

export function sweepsTable(reports: readonly PageReport[]): TitledTable {
  return {
    id: 'sweeps-table',
    title: 'Sweeps, the last one first',
    ...table(reports, [
      { title: 'STARTED', isName: true, of: ({ run }) => minuteOf(run.startedAt) },
      { title: 'CLUSTER', isName: true, of: ({ cluster }) => cluster.name },
      { title: 'TOOK', isNumber: true, of: ({ run }) => formatDuration(run.durationMs) },
      { title: 'LISTED', isNumber: true, of: ({ totals }) => number(totals.listed) },
      { title: 'STUCK', isNumber: true, of: ({ totals }) => number(totals.candidates) },
      {
        title: 'ENDED',
        isNumber: true,
        of: ({ pods }) => number(pods.filter(({ outcome }) => hasEnded.has(outcome.kind)).length),
      },
      { title: 'HARMED', isNumber: true, of: ({ pods }) => number(pods.filter(({ harm }) => harm).length) },
      { title: 'NOTES', isProse: true, of: notesOnSweep },
    ]),
  };
}

function notesOnSweep({ run, unread, warnings }: SweepReport): string {
  return [
    ...(run.dryRun ? ['dry run'] : []),
    ...(run.stoppedEarly ? [`stopped early: ${run.stoppedEarly}`] : []),
    ...(unread.length > 0 ? [`${many(unread.length, 'part')} unread`] : []),
    ...(warnings.length > 0 ? [many(warnings.length, 'warning')] : []),
  ].join(', ');
}

const hasEnded: ReadonlySet<PodReport['outcome']['kind']> = new Set([
  'Ended',
  'Unsettled',
  'Gone',
  'Replaced',
]);
