import { iso } from '../format.ts';
import { apiVersion } from '../names.ts';
import type { ReadReports } from '../records/read.ts';
import type { SweepReport } from '../schema.ts';
import { instanceOf, type PodHistory, podHistories, sightingsOf } from './pods.ts';
import type { History } from './schema.ts';
import {
  Clusters,
  distinct,
  lastComplete,
  lastSweeps,
  periodOf,
  type Swept,
  startsOf,
  sweptBy,
} from './sweeps.ts';
import { trendOf } from './trend.ts';
import { fatesOf, groupBy, stuckSince, totalsOf, wastedBy, worstFirst } from './waste.ts';

/** What was read besides reports, and what is missing in them. */
export type Missing = Omit<ReadReports, 'reports'>;

const complete: Missing = { truncated: 0, unreadable: [], other: 0, lost: 0, shortened: 0, unfinished: 0 };

/** What the reports of many sweeps say together, in any order. Dry runs are counted and add nothing else. */
export function historyOf(reports: readonly SweepReport[], missing: Missing = complete): History {
  const real = reports.filter(({ run }) => !run.dryRun);
  const inOrder = distinct(real);
  const clusters = new Clusters(inOrder.map(({ cluster }) => cluster));
  const found = inOrder.map((report) => {
    const sweep = sweptBy(report, clusters.of(report.cluster));
    const { cluster, series, asOf: at } = sweep;
    return { sweep, seen: sightingsOf(report, at).map((sighting) => ({ cluster, series, at, sighting })) };
  });
  const swept = found.map(({ sweep }) => sweep);
  const pods = podHistories(
    found.flatMap(({ seen }) => seen),
    lastComplete(swept),
  );
  const starts = startsOf(swept);
  const period = periodOf(swept);
  return {
    apiVersion,
    kind: 'History',
    ...(period && { period: { from: iso(period.from), to: iso(period.to) } }),
    read: {
      sweeps: starts.length,
      reports: swept.length,
      copies: real.length - swept.length,
      dryRuns: reports.length - real.length,
      stoppedEarly: swept.filter(({ stoppedEarly }) => stoppedEarly).length,
      unread: swept.filter(({ unread }) => unread).length,
      braked: swept.filter(({ braked }) => braked).length,
      ...missing,
    },
    totals: totalsOf(pods, lastSweeps(swept)),
    trend: trendOf(pods, starts, period),
    clusters: clustersOf(pods, swept),
    ...listsOf(pods),
  };
}

type Lists = Pick<History, 'namespaces' | 'images' | 'owners' | 'reasons' | 'stuck'>;

/** The longest list. */
const most = 100;

/** Where pods got stuck, and which are still stuck and why: the worst of each list. */
function listsOf(pods: readonly PodHistory[]): Lists & Pick<History, 'leftOut'> {
  const leftOut: Record<string, number> = {};
  const worst = <T extends Parameters<typeof worstFirst>[0][number]>(
    name: keyof Lists,
    all: readonly T[],
  ) => {
    if (all.length > most) leftOut[name] = all.length - most;
    return worstFirst(all).slice(0, most);
  };
  const groups = (keysOf: Parameters<typeof groupBy>[1]) => [...groupBy(pods, keysOf)];
  const namespaces = groups(({ cluster, last }) => [`${cluster.id} ${last.namespace}`]);
  const images = groups(({ sidecars }) => new Set(sidecars.map(({ image }) => image)));
  const owners = groups(({ originKey }) => [originKey]);
  const lists: Lists = {
    namespaces: worst(
      'namespaces',
      namespaces.map(([, found]) => ({
        cluster: found[0].cluster.name,
        namespace: found[0].last.namespace,
        ...fatesOf(found),
      })),
    ),
    images: worst(
      'images',
      images.map(([image, found]) => ({ image, ...fatesOf(found) })),
    ),
    owners: worst(
      'owners',
      owners.map(([, found]) => ({
        cluster: found[0].cluster.name,
        namespace: found[0].last.namespace,
        ...found[0].origin,
        ...fatesOf(found),
        times: new Set(found.map(instanceOf)).size,
        lastAt: iso(Math.max(...found.map(({ last }) => last.mainsEndedAt))),
        images: [...new Set(found.flatMap(({ sidecars }) => sidecars.map(({ image }) => image)))].sort(),
      })),
    ),
    reasons: worst('reasons', reasonsOf(pods)),
    stuck: worst('stuck', stuckOf(pods)),
  };
  return { ...lists, leftOut };
}

/** Each cluster, its sweeps and its pods. */
function clustersOf(pods: readonly PodHistory[], swept: readonly Swept[]): History['clusters'] {
  const clusters = new Map(swept.map(({ cluster }) => [cluster.id, cluster]));
  return worstFirst(
    [...clusters.values()].flatMap(({ id, ...cluster }) => {
      const own = swept.filter((sweep) => sweep.cluster.id === id);
      const period = periodOf(own);
      const found = pods.filter((pod) => pod.cluster.id === id);
      return period
        ? [
            {
              ...cluster,
              ...fatesOf(found),
              sweeps: startsOf(own).length,
              from: iso(period.from),
              to: iso(period.to),
            },
          ]
        : [];
    }),
  );
}

function stuckOf(pods: readonly PodHistory[]): History['stuck'] {
  return pods.flatMap((pod) => {
    const { fate, cluster, origin, sidecars, lastSeenAt, sweeps, last } = pod;
    const { namespace, name, uid, requests, mainsEndedAt, left } = last;
    if (fate !== 'Stuck' || left.kind !== 'Stuck') return [];
    return [
      {
        cluster: cluster.name,
        namespace,
        name,
        ...(uid !== undefined && { uid }),
        owner: origin,
        sidecars,
        mainsEndedAt: iso(mainsEndedAt),
        lastSeenAt: iso(lastSeenAt),
        sweeps,
        why: left.why,
        requests,
        wasted: wastedBy([pod]),
      },
    ];
  });
}

/** Why pods are still stuck, in the words reported for the one that has been stuck for longest. */
function reasonsOf(pods: readonly PodHistory[]): History['reasons'] {
  const groups = groupBy(pods, ({ fate, last: { left } }) =>
    fate === 'Stuck' && left.kind === 'Stuck' ? [`${left.why.outcome} ${left.why.reason}`] : [],
  );
  return [...groups.values()].flatMap((found) => {
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
        wasted: wastedBy(found),
      },
    ];
  });
}
