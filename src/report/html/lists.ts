import { groupsOf } from '../../util/groups.ts';
import { elapsed } from '../format.ts';
import { notesOnFound, notesOnLeft } from '../found.ts';
import type { Swept } from '../history/sweeps.ts';
import { inShort, type TitledTable } from '../history/view.ts';
import { mergeTotals } from '../sweep/merge.ts';
import { hasFailed, sidecarsOf } from '../sweep/planned.ts';
import { describeContainer, describeEnd, describeHarm } from '../texts/outcomes.ts';
import { describeUnreadPart } from '../texts/warnings.ts';
import { amount, table } from '../view.ts';

/** The last sweep of each cluster: its report, or one for each of its shards. @param swept The last one first. */
export function lastOfEach(swept: readonly Swept[]): readonly (readonly Swept[])[] {
  return groupsOf(swept, ({ cluster }) => cluster.id).map((own) => {
    const shardOf = ({ report }: Swept) => report.scope.shard;
    const alike = own.filter((one) => shardOf(one)?.of === shardOf(own[0])?.of);
    return groupsOf(alike, (one) => `${shardOf(one)?.index}`).map(([last]) => last);
  });
}

export function podsTable(swept: readonly Swept[]): TitledTable {
  const all = swept.flatMap(({ cluster, report }) => report.pods.map((pod) => ({ pod, cluster, report })));
  const last = groupsOf(all, ({ pod, cluster }) => `${cluster.id} ${pod.uid}`).map(([first]) => first);
  return {
    id: 'pods-table',
    title: 'Every pod that a sweep found stuck, as its last sweep left it',
    ...table(last, [
      { title: 'CLUSTER', of: ({ cluster }) => cluster.name },
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
        of: ({ pod }) =>
          `${describeEnd(pod.outcome, hasFailed(pod))}${pod.harm ? `, harm: ${describeHarm(pod.harm)}` : ''}`,
      },
      amount('CORES', ({ pod }) => pod.requests.cpu),
      amount('GIB', ({ pod }) => pod.requests.memory / 2 ** 30),
    ]),
  };
}

/** Notes on the last sweep of each cluster, in the words of a terminal. */
export function notesOf(swept: readonly Swept[]): readonly string[] {
  const clusters = lastOfEach(swept);
  return clusters.flatMap((shards) => {
    const found = shards.flatMap(({ report }) => [
      ...report.unread.map(describeUnreadPart),
      ...notesOnFound(report, { wide: false }),
    ]);
    const totals = mergeTotals(shards.map(({ report }) => report.totals));
    const notes = [...new Set(found), ...notesOnLeft({ totals }, 'explain NAMESPACE/POD says why')];
    const place = clusters.length > 1 ? `${shards[0]?.cluster.name}: ` : '';
    // A page has no flags.
    return notes.map((note) => place + note.replace(/ \(-o wide\)$/, ''));
  });
}
