import type { Resources } from '../../model/pod.ts';
import { countKinds, groupsOf } from '../../util/groups.ts';
import type { Millis } from '../../util/time.ts';
import { isBraked } from '../exit-code.ts';
import { hasNone, iso, requestsOf, sumOf } from '../format.ts';
import { stuckSince } from '../groups.ts';
import { apiVersion } from '../names.ts';
import type { ReadReports } from '../records/read.ts';
import type { SweepReport } from '../schema.ts';
import { type PodHistory, podHistories, spend } from './pods.ts';
import type { Fates, History, Usage } from './schema.ts';
import { latestOf, type Period, periodOf, type Swept, startsOf, sweptIn } from './sweeps.ts';

/** The counts of what is missing or could not be read. */
type Missing = Omit<ReadReports, 'reports'>;

const complete: Missing = { truncated: 0, unreadable: [], lost: 0, unfinished: 0 };

/** The history of these sweeps, whatever their order. Dry runs are only counted. */
export function historyOf(reports: readonly SweepReport[], missing: Missing = complete): History {
  const real = reports.filter(({ run }) => !run.dryRun);
  const swept = sweptIn(real);
  const pods = podHistories(swept);
  const starts = startsOf(swept);
  const period = swept.length > 0 ? periodOf(swept) : undefined;
  const counted = (matches: (report: SweepReport) => boolean) =>
    swept.filter(({ report }) => matches(report)).length;
  return {
    apiVersion,
    kind: 'History',
    ...(period && { period: isoPeriod(period) }),
    read: {
      sweeps: starts.length,
      reports: swept.length,
      dryRuns: reports.length - real.length,
      stoppedEarly: counted(({ run }) => run.stoppedEarly !== undefined),
      unread: counted(({ unread }) => unread.length > 0),
      braked: counted(isBraked),
      ...missing,
    },
    totals: totalsOf(pods, swept),
    trend: trendOf(pods, starts, period),
    clusters: groupsOf(swept, ({ cluster }) => cluster.id)
      .map((own) => {
        const [{ cluster }] = own;
        const { id, name, uid } = cluster;
        const fates = fatesOf(pods.filter((pod) => pod.cluster.id === id));
        return { name, uid, ...fates, sweeps: startsOf(own).length, ...isoPeriod(periodOf(own)) };
      })
      .sort(byWaste),
    ...listsOf(pods),
  };
}

function isoPeriod({ from, to }: Period) {
  return { from: iso(from), to: iso(to) };
}

function totalsOf(pods: readonly PodHistory[], swept: readonly Swept[]): History['totals'] {
  const stuck = pods.filter(({ fate }) => fate === 'Stuck');
  const ended = pods.filter(({ fate }) => fate === 'Ended');
  return {
    ...fatesOf(pods),
    freed: requestsOf(ended),
    reclaimed: reclaimedBy(pods, swept),
    wastedByStuck: wastedBy(stuck),
    reserved: requestsOf(stuck),
    withoutRequests: pods.filter(({ requests }) => hasNone(requests)).length,
    harm: countKinds(pods.flatMap(({ harm }) => harm?.kind ?? [])),
  };
}

function fatesOf(pods: readonly PodHistory[]): Fates {
  const { Ended: ended = 0, Gone: gone = 0, Stuck: stuck = 0 } = countKinds(pods.map(({ fate }) => fate));
  return { pods: pods.length, ended, gone, stuck, wasted: wastedBy(pods) };
}

/** A pod's requests count until the next Job of its owner got stuck, as if none had piled up, or until the last sweep. */
function reclaimedBy(pods: readonly PodHistory[], swept: readonly Swept[]): Usage {
  const lastSweeps = latestOf(swept.map(({ cluster, finishedAt }) => [cluster.id, finishedAt]));
  const reclaimed = groupsOf(pods, ({ originKey }) => originKey).flatMap((ofOrigin) => {
    const instances = groupsOf(ofOrigin, ({ instance }) => instance).toSorted(
      (a, b) => stuckSince(a) - stuckSince(b),
    );
    return instances.flatMap((together, index) => {
      const next = instances[index + 1];
      return together.flatMap(({ cluster, fate, until, requests }) => {
        const to = next ? stuckSince(next) : (lastSweeps.get(cluster.id) ?? until);
        return fate === 'Ended' ? spend(requests, Math.max(to - until, 0)) : [];
      });
    });
  });
  return toUsage(sumOf(reclaimed));
}

type Lists = Pick<History, 'harm' | 'groups' | 'stuck' | 'owners' | 'namespaces'>;

const most = 100;
const mostExamples = 3;

function listsOf(pods: readonly PodHistory[]): Lists & Pick<History, 'leftOut'> {
  const all: Lists = {
    harm: pods.flatMap(harmOf).sort((a, b) => Date.parse(b.at) - Date.parse(a.at)),
    groups: groupsOf(pods, groupKeyOf)
      .map(groupOf)
      .sort((a, b) => Number(b.fate === 'Stuck') - Number(a.fate === 'Stuck') || byWaste(a, b)),
    stuck: pods.flatMap(stuckOf).sort(byWaste),
    owners: groupsOf(pods, ({ originKey }) => originKey)
      .map((found) => ({
        ...placeOf(found[0]),
        ...found[0].origin,
        ...fatesOf(found),
        times: new Set(found.map(({ instance }) => instance)).size,
        lastAt: iso(found.reduce((last, { mainsEndedAt }) => Math.max(last, mainsEndedAt), 0)),
        images: [...new Set(found.flatMap(({ sidecars }) => sidecars.map(({ image }) => image)))].sort(),
      }))
      .sort(byWaste),
    namespaces: groupsOf(pods, ({ cluster, namespace }) => `${cluster.id} ${namespace}`)
      .map((found) => ({ ...placeOf(found[0]), ...fatesOf(found) }))
      .sort(byWaste),
  };
  const lists = Object.entries<readonly object[]>(all);
  const shown = Object.fromEntries(lists.map(([name, list]) => [name, list.slice(0, most)]));
  const left = lists.flatMap(([name, { length }]) => (length > most ? [[name, length - most] as const] : []));
  return { ...all, ...shown, leftOut: Object.fromEntries(left) };
}

function placeOf({ cluster, namespace }: Pick<PodHistory, 'cluster' | 'namespace'>) {
  return { cluster: cluster.name, namespace };
}

function harmOf({ name, owner, harm, ...pod }: PodHistory): Lists['harm'] {
  return harm ? [{ ...placeOf(pod), name, owner, ...harm }] : [];
}

function stuckOf(pod: PodHistory): Lists['stuck'] {
  const { name, origin: owner, sidecars, sweeps, why, requests } = pod;
  if (!why) return [];
  const where = { ...placeOf(pod), name, owner };
  const times = { mainsEndedAt: iso(pod.mainsEndedAt), lastSeenAt: iso(pod.lastSeenAt) };
  return [{ ...where, ...times, sidecars, sweeps, why, requests, wasted: wastedBy([pod]) }];
}

/** Equal for pods with the same sidecar and the same fate or, if they are stuck, the same reason. */
function groupKeyOf({ sidecar, fate, why }: PodHistory): string {
  return JSON.stringify([sidecar.name, sidecar.image, fate, why?.outcome, why?.reason]);
}

/** A group has the words that were reported for its oldest pod. */
function groupOf(found: readonly [PodHistory, ...PodHistory[]]): Lists['groups'][number] {
  const since = stuckSince(found);
  const oldest = found.find(({ mainsEndedAt }) => mainsEndedAt === since) ?? found[0];
  const { fate, sidecar, why = { words: fateWords[fate] } } = oldest;
  return {
    ...{ sidecar: sidecar.name, image: sidecar.image, fate, ...why },
    pods: found.length,
    since: iso(since),
    examples: [...new Set([oldest, ...found])]
      .slice(0, mostExamples)
      .map((pod) => ({ ...placeOf(pod), name: pod.name })),
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

const minute: Millis = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;
const steps: readonly Millis[] = [5 * minute, 15 * minute, hour, 6 * hour, day, week, 4 * week];
const mostIntervals = 32;
/** The epoch was a Thursday; weeks begin on Mondays. */
const firstMonday = 4 * day;

/** From cores and bytes, multiplied by milliseconds. */
function toUsage({ cpu, memory }: Resources): Usage {
  // To millionths: the last digits of a sum are noise.
  const rounded = (value: number) => Number(value.toFixed(6));
  return { cpuHours: rounded(cpu / hour), gibHours: rounded(memory / 1024 ** 3 / hour) };
}

/** Waste over time, in intervals of the calendar, no more of them than sweeps. */
function trendOf(
  pods: readonly PodHistory[],
  starts: readonly Millis[],
  period: Period | undefined,
): History['trend'] {
  if (!period) return { stepMs: day, wastedBefore: toUsage(sumOf([])), points: [] };
  const step = stepFor(period, Math.min(mostIntervals, starts.length));
  const begin = floor(period.from, step);
  const length = (floor(period.to, step) - begin) / step + 1;
  const indexOf = (time: Millis) => Math.min(Math.max(Math.floor((time - begin) / step), 0), length - 1);
  let stuck = 0;
  const points = Array.from({ length }, (_, index) => {
    const isWithin = (time: Millis) => indexOf(time) === index;
    const from = begin + index * step;
    const found = pods.filter(({ firstSeenAt }) => isWithin(firstSeenAt)).length;
    // The kubelet's clock may be behind that of the sweep.
    const left = pods.filter(({ until, firstSeenAt }) => isWithin(Math.max(until, firstSeenAt)));
    const { Ended: ended = 0, Gone: gone = 0 } = countKinds(left.map(({ fate }) => fate));
    stuck += found - ended - gone;
    const wasted = wastedBy(pods, from, index === length - 1 ? Infinity : from + step);
    return { from: iso(from), sweeps: starts.filter(isWithin).length, found, ended, gone, stuck, wasted };
  });
  return { stepMs: step, wastedBefore: wastedBy(pods, -Infinity, begin), points };
}

/** What the pods reserved between two times, from the end of their mains until their own. */
function wastedBy(pods: readonly PodHistory[], from = -Infinity, to = Infinity): Usage {
  const spent = pods.map(({ requests, mainsEndedAt, until }) =>
    spend(requests, Math.max(Math.min(until, to) - Math.max(mainsEndedAt, from), 0)),
  );
  return toUsage(sumOf(spent));
}

function stepFor({ from, to }: Period, intervals: number): Millis {
  const least = (to - from) / intervals;
  return steps.find((step) => step >= least) ?? 4 * week * Math.ceil(least / (4 * week));
}

function floor(time: Millis, step: Millis): Millis {
  const offset = step >= week ? firstMonday : 0;
  return Math.floor((time - offset) / step) * step + offset;
}
