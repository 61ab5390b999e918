import type { Resources } from '../../model/pod.ts';
import type { Millis } from '../../util/time.ts';
import { countKinds } from '../counts.ts';
import { isBraked } from '../exit-code.ts';
import { hasNone, iso, sumOf } from '../format.ts';
import { groupsOf } from '../groups.ts';
import { apiVersion } from '../names.ts';
import type { ReadReports } from '../records/read.ts';
import type { SweepReport } from '../schema.ts';
import { Clusters } from './clusters.ts';
import { instanceOf, type PodHistory, podHistories } from './pods.ts';
import type { Fates, History, Usage } from './schema.ts';
import { distinct, latestOf, periodOf, reportPeriod, type Swept, startsOf, sweptBy } from './sweeps.ts';
import { spend, toUsage, trendOf } from './trend.ts';

/** What was read besides reports, and what is missing in them. */
type Missing = Omit<ReadReports, 'reports'>;

const complete: Missing = { truncated: 0, unreadable: [], other: 0, lost: 0, shortened: 0, unfinished: 0 };

/** What the reports of many sweeps say together, in any order. Dry runs are counted and add nothing else. */
export function historyOf(reports: readonly SweepReport[], missing: Missing = complete): History {
  const real = reports.filter(({ run }) => !run.dryRun);
  const inOrder = distinct(real);
  const clusters = new Clusters(inOrder.map(({ cluster }) => cluster));
  const swept = inOrder.map((report) => sweptBy(report, clusters.of(report.cluster)));
  const pods = podHistories(swept);
  const starts = startsOf(swept);
  const [first, ...rest] = swept;
  const period = first && periodOf([first, ...rest]);
  const counted = (matches: (report: SweepReport) => boolean) => inOrder.filter(matches).length;
  return {
    apiVersion,
    kind: 'History',
    ...(period && { period: reportPeriod(period) }),
    read: {
      sweeps: starts.length,
      reports: swept.length,
      copies: real.length - swept.length,
      dryRuns: reports.length - real.length,
      stoppedEarly: counted(({ run }) => run.stoppedEarly !== undefined),
      unread: counted(({ unread }) => unread.length > 0),
      braked: counted(isBraked),
      ...missing,
    },
    totals: totalsOf(pods, swept),
    trend: trendOf(pods, starts, period),
    clusters: clustersOf(pods, swept),
    ...listsOf(pods),
  };
}

function totalsOf(pods: readonly PodHistory[], swept: readonly Swept[]): History['totals'] {
  const stuck = pods.filter(({ fate }) => fate === 'Stuck');
  const ended = pods.filter(({ fate }) => fate === 'Ended');
  return {
    ...fatesOf(pods),
    freed: sumOf(ended.map(({ last }) => last.requests)),
    reclaimed: toUsage(reclaimedBy(pods, swept)),
    wastedByStuck: wastedBy(stuck),
    reserved: sumOf(stuck.map(({ last }) => last.requests)),
    withoutRequests: pods.filter(({ last }) => hasNone(last.requests)).length,
    harm: countKinds(pods.flatMap(({ harm }) => harm?.kind ?? [])),
  };
}

function fatesOf(pods: readonly PodHistory[]): Fates {
  const fates = { Ended: 0, Gone: 0, Stuck: 0 };
  for (const { fate } of pods) fates[fate]++;
  const { Ended: ended, Gone: gone, Stuck: stuck } = fates;
  return { pods: pods.length, ended, gone, stuck, wasted: wastedBy(pods) };
}

/** What these pods reserved, each from the end of its mains to its own end. */
function wastedBy(pods: readonly PodHistory[]): Usage {
  return toUsage(sumOf(pods.map(({ last, until }) => spend(last.requests, until - last.mainsEndedAt))));
}

/**
 * What the pods that sweeps ended would have gone on reserving: each until the next Job of its owner got stuck
 * or, for those of the last Job, until the last sweep of their cluster. So each owner counts with one Job at a
 * time, although more might have piled up without sweeps.
 */
function reclaimedBy(pods: readonly PodHistory[], swept: readonly Swept[]): Resources {
  const lastSweeps = latestOf(swept.map(({ cluster, finishedAt }) => [cluster.id, finishedAt]));
  const reclaimed = groupsOf(pods, ({ originKey }) => originKey).flatMap((ofOrigin) => {
    const instances = groupsOf(ofOrigin, instanceOf).toSorted((a, b) => stuckSince(a) - stuckSince(b));
    return instances.flatMap((together, index) => {
      const next = instances[index + 1];
      return together.flatMap(({ cluster, fate, until, last }) => {
        const to = next ? stuckSince(next) : (lastSweeps.get(cluster.id) ?? until);
        return fate === 'Ended' ? spend(last.requests, Math.max(to - until, 0)) : [];
      });
    });
  });
  return sumOf(reclaimed);
}

type Lists = Pick<History, 'harm' | 'groups' | 'stuck' | 'owners' | 'namespaces'>;

const most = 100;
const mostExamples = 3;

/** Where pods got stuck, and which are still stuck and why: the worst of each list. */
function listsOf(pods: readonly PodHistory[]): Lists & Pick<History, 'leftOut'> {
  const all: Lists = {
    harm: pods.flatMap(harmOf).sort((a, b) => Date.parse(b.at) - Date.parse(a.at)),
    groups: groupsOf(pods, groupKeyOf).map(groupOf).sort(byWaste).sort(stuckFirst),
    stuck: pods.flatMap(stuckOf).sort(byWaste),
    owners: groupsOf(pods, ({ originKey }) => originKey)
      .map((found) => ({
        cluster: found[0].cluster.name,
        namespace: found[0].last.namespace,
        ...found[0].origin,
        ...fatesOf(found),
        times: new Set(found.map(instanceOf)).size,
        lastAt: iso(Math.max(...found.map(({ last }) => last.mainsEndedAt))),
        images: [...new Set(found.flatMap(({ sidecars }) => sidecars.map(({ image }) => image)))].sort(),
      }))
      .sort(byWaste),
    namespaces: groupsOf(pods, ({ cluster, last }) => `${cluster.id} ${last.namespace}`)
      .map((found) => ({
        cluster: found[0].cluster.name,
        namespace: found[0].last.namespace,
        ...fatesOf(found),
      }))
      .sort(byWaste),
  };
  const { harm, groups, stuck, owners, namespaces } = all;
  const left = Object.entries(all).map(([name, list]) => [name, list.length - most] as const);
  return {
    harm: harm.slice(0, most),
    groups: groups.slice(0, most),
    stuck: stuck.slice(0, most),
    owners: owners.slice(0, most),
    namespaces: namespaces.slice(0, most),
    leftOut: Object.fromEntries(left.filter(([, more]) => more > 0)),
  };
}

function harmOf({ cluster, last, harm }: PodHistory): Lists['harm'] {
  const { namespace, name, owner } = last;
  return harm ? [{ cluster: cluster.name, namespace, name, owner, ...harm }] : [];
}

function clustersOf(pods: readonly PodHistory[], swept: readonly Swept[]): History['clusters'] {
  return groupsOf(swept, ({ cluster }) => cluster.id)
    .map((own) => {
      const [{ cluster }] = own;
      const { id, ...known } = cluster;
      const fates = fatesOf(pods.filter((pod) => pod.cluster.id === id));
      return { ...known, ...fates, sweeps: startsOf(own).length, ...reportPeriod(periodOf(own)) };
    })
    .sort(byWaste);
}

function stuckOf(pod: PodHistory): Lists['stuck'] {
  const { fate, cluster, origin: owner, sidecars, lastSeenAt, sweeps, last } = pod;
  const { namespace, name, uid, requests, mainsEndedAt, left } = last;
  if (fate !== 'Stuck' || left.kind !== 'Stuck') return [];
  const where = { cluster: cluster.name, namespace, name, uid, owner };
  const times = { mainsEndedAt: iso(mainsEndedAt), lastSeenAt: iso(lastSeenAt) };
  return [{ ...where, ...times, sidecars, sweeps, why: left.why, requests, wasted: wastedBy([pod]) }];
}

/** Pods with one sidecar, to which one thing happened: those that are stuck by the reason, the others by how they ended. */
function groupKeyOf(pod: PodHistory): string {
  const { fate, last } = pod;
  const { name, image } = heldBy(pod);
  const { outcome, reason } =
    fate === 'Stuck' && last.left.kind === 'Stuck' ? last.left.why : { outcome: fate };
  return JSON.stringify([name, image, fate, outcome, reason]);
}

/** The sidecar that keeps the pod running, with the image that it had at first. */
function heldBy({ sidecars, last: { left } }: PodHistory) {
  const blamed = left.kind === 'Stuck' ? left.sidecar : undefined;
  return sidecars.find(({ name }) => name === blamed) ?? sidecars[0] ?? { name: blamed ?? '', image: '' };
}

/** In the words reported for the pod that has been stuck for longest. */
function groupOf(found: readonly [PodHistory, ...PodHistory[]]): Lists['groups'][number] {
  const since = stuckSince(found);
  const oldest = found.find(({ last }) => last.mainsEndedAt === since) ?? found[0];
  const { fate, last } = oldest;
  const { name: sidecar, image } = heldBy(oldest);
  const why = fate === 'Stuck' && last.left.kind === 'Stuck' ? last.left.why : { words: fateWords[fate] };
  return {
    ...{ sidecar, image, fate, ...why },
    pods: found.length,
    since: iso(since),
    examples: [oldest, ...found.filter((pod) => pod !== oldest)]
      .slice(0, mostExamples)
      .map(({ cluster, last: { namespace, name } }) => ({ cluster: cluster.name, namespace, name })),
    wasted: wastedBy(found),
  };
}

const fateWords = { Ended: 'ended by a sweep', Gone: 'ended or deleted otherwise', Stuck: 'still stuck' };

/** General-purpose machines have about 4 GiB for each core. */
const gibOfCore = 4;

interface Wasteful {
  readonly wasted: Usage;
  readonly pods?: number;
}

/** The most wasteful first, then the ones with most pods. */
function byWaste(a: Wasteful, b: Wasteful): number {
  const inCores = ({ wasted }: Wasteful) => wasted.cpuHours + wasted.gibHours / gibOfCore;
  return inCores(b) - inCores(a) || (b.pods ?? 0) - (a.pods ?? 0);
}

function stuckFirst(a: Lists['groups'][number], b: Lists['groups'][number]): number {
  return Number(b.fate === 'Stuck') - Number(a.fate === 'Stuck');
}

function stuckSince(pods: readonly PodHistory[]): Millis {
  return pods.reduce((least, { last }) => Math.min(least, last.mainsEndedAt), Infinity);
}
