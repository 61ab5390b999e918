import type { History } from '../report/history/schema.ts';
import { iso } from '../report/times.ts';
import { groupBy, stuckSince, wastedBy, worstFirst } from './group.ts';
import type { Past } from './past.ts';
import { toUsage } from './spent.ts';

/** The pods that are still stuck. */
export function stuckOf(pasts: readonly Past[]): History['stuck'] {
  const entries = pasts.flatMap((past) => {
    const { last, fate } = past;
    if (fate !== 'Stuck' || last.left.kind !== 'Stuck') return [];
    const { namespace, name, uid, requests, mainsEndedAt, left } = last;
    return [
      {
        cluster: past.cluster.name,
        namespace,
        name,
        ...(uid !== undefined && { uid }),
        owner: past.origin,
        sidecars: past.sidecars,
        mainsEndedAt: iso(mainsEndedAt),
        lastSeenAt: iso(past.lastSeenAt),
        sweeps: past.sweeps,
        why: left.why,
        requests,
        wasted: toUsage(past.wasted),
      },
    ];
  });
  return worstFirst(entries);
}

/** Why they are, with the one that has been stuck for longest as the example. */
export function reasonsOf(pasts: readonly Past[]): History['reasons'] {
  const groups = groupBy(pasts, ({ fate, last: { left } }) =>
    fate === 'Stuck' && left.kind === 'Stuck' ? [`${left.why.outcome} ${left.why.reason}`] : [],
  );
  const entries = [...groups.values()].flatMap((found) => {
    const since = stuckSince(found);
    const oldest = found.find(({ last }) => last.mainsEndedAt === since);
    if (oldest?.last.left.kind !== 'Stuck') return [];
    const { namespace, name, left } = oldest.last;
    return [
      {
        ...left.why,
        pods: found.length,
        since: iso(since),
        example: { cluster: oldest.cluster.name, namespace, name },
        wasted: toUsage(wastedBy(found)),
      },
    ];
  });
  return worstFirst(entries);
}
