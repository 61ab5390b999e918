import { many, minuteOf, number } from '../amounts.ts';
import { elapsed } from '../times.ts';
import type { Cells } from './cells.ts';
import type { History, Why } from './schema.ts';
import type { Table } from './section.ts';

export function reasonsOf({ reasons, leftOut }: History, { usageColumns, usage }: Cells): Table {
  return {
    title: 'Why pods are still stuck',
    columns: [
      { title: 'WHY', isName: true },
      { title: 'PODS' },
      { title: 'SINCE', worth: 5 },
      ...usageColumns,
      { title: 'IN WORDS', worth: 9, isProse: true },
    ],
    rows: reasons.map(({ outcome, reason, pods, since, wasted, words }) => [
      whyOf({ outcome, reason }),
      number(pods),
      minuteOf(since),
      ...usage(wasted),
      words,
    ]),
    notes: toDo(reasons),
    leftOut: leftOut['reasons'],
  };
}

export function stuckOf(
  { stuck, leftOut }: History,
  { clusterColumns, cluster, usageColumns, usage }: Cells,
): Table {
  return {
    title: 'Pods that are still stuck',
    columns: [
      ...clusterColumns,
      { title: 'NAMESPACE', isName: true },
      { title: 'POD', isName: true },
      { title: 'STUCK FOR' },
      { title: 'SWEEPS', worth: 3 },
      ...usageColumns,
      { title: 'WHY' },
    ],
    rows: stuck.map(({ cluster: where, namespace, name, mainsEndedAt, lastSeenAt, sweeps, wasted, why }) => [
      ...cluster(where),
      namespace,
      name,
      elapsed(mainsEndedAt, lastSeenAt),
      number(sweeps),
      ...usage(wasted),
      whyOf(why),
    ]),
    leftOut: leftOut['stuck'],
  };
}

function whyOf({ outcome, reason }: Pick<Why, 'outcome' | 'reason'>): string {
  return reason === undefined ? outcome : `${outcome} (${reason})`;
}

/** Each advice once, with the number of pods that it is about. */
function toDo(reasons: History['reasons']): readonly string[] {
  const advised = new Map<string, number>();
  for (const { advice, pods } of reasons) {
    if (advice !== undefined) advised.set(advice, (advised.get(advice) ?? 0) + pods);
  }
  return [...advised].map(([advice, pods]) => `to do (${many(pods, 'pod')}): ${advice}`);
}
