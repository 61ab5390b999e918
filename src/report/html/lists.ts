import { elapsed } from '../format.ts';
import { notesOnFound, notesOnLeft } from '../found.ts';
import { groupsOf } from '../groups.ts';
import { distinct, type KnownCluster, knownClusters } from '../history/sweeps.ts';
import { inShort, type TitledTable } from '../history/view.ts';
import type { SweepReport } from '../schema.ts';
import { mergeTotals } from '../sweep/merge.ts';
import { sidecarsOf } from '../sweep/planned.ts';
import { describeContainer, describeEnd, harms } from '../texts/outcomes.ts';
import { describeUnreadPart } from '../texts/warnings.ts';
import { amount, table } from '../view.ts';

/** A report whose cluster has a name that no other cluster of the page has. */
export type PageReport = SweepReport & { readonly cluster: KnownCluster };

/** Each report once, the last one first. */
export function pageReports(reports: readonly SweepReport[]): readonly PageReport[] {
  const clusterOf = knownClusters(reports.map(({ cluster }) => cluster));
  return distinct(reports)
    .map((report) => ({ ...report, cluster: clusterOf(report.cluster) }))
    .reverse();
}

/** The last sweep of each cluster: its report, or one for each of its shards. */
export function lastOfEach(reports: readonly PageReport[]): readonly (readonly PageReport[])[] {
  return groupsOf(reports, ({ cluster }) => cluster.id).map((own) => {
    const [{ scope }] = own;
    const alike = own.filter((one) => one.scope.shard?.of === scope.shard?.of);
    return groupsOf(alike, (one) => `${one.scope.shard?.index}`).map(([last]) => last);
  });
}

export function podsTable(reports: readonly PageReport[]): TitledTable {
  const all = reports.flatMap((report) => report.pods.map((pod) => ({ pod, report })));
  const last = groupsOf(all, ({ pod, report }) => `${report.cluster.id} ${pod.uid}`).map(([first]) => first);
  return {
    id: 'pods-table',
    title: 'Every pod that a sweep found stuck, as its last sweep left it',
    ...table(last, [
      { title: 'CLUSTER', of: ({ report }) => report.cluster.name },
      { title: 'POD', of: ({ pod }) => `${pod.namespace}/${pod.name}` },
      { title: 'OWNER', of: ({ pod: { owner } }) => (owner ? `${owner.kind} ${owner.name}` : '') },
      {
        title: 'STUCK FOR',
        isNumber: true,
        of: ({ pod, report }) => elapsed(pod.mainsEndedAt, report.asOf),
      },
      {
        title: 'SIDECARS',
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

/** Notes on the last sweep of each cluster, in the words of a terminal. */
export function notesOf(reports: readonly PageReport[]): readonly string[] {
  const clusters = lastOfEach(reports);
  return clusters.flatMap((shards) => {
    const found = shards.flatMap((report) => [
      ...report.unread.map(describeUnreadPart),
      ...notesOnFound(report, { wide: false }),
    ]);
    const totals = mergeTotals(shards.map((report) => report.totals));
    const notes = [...new Set(found), ...notesOnLeft({ totals }, 'explain NAMESPACE/POD says why')];
    const place = clusters.length > 1 ? `${shards[0]?.cluster.name}: ` : '';
    // A page has no flags.
    return notes.map((note) => place + note.replace(/ \(-o wide\)$/, ''));
  });
}
