import type { Resources } from '../../model/pod.ts';
import type { Millis } from '../../util/time.ts';
import { countKinds } from '../counts.ts';
import { hasNone } from '../format.ts';
import { instanceOf, type PodHistory } from './pods.ts';
import type { Fates, History, Usage } from './schema.ts';

/** Cores and bytes, multiplied by milliseconds. */
export type Spent = Resources;

const nothing: Spent = { cpu: 0, memory: 0 };
const hour: Millis = 3_600_000;
const gib = 1024 ** 3;
/** General-purpose machines have about 4 GiB for each core. */
const gibOfCore = 4;

/** What is reserved for this long. */
export function spend({ cpu, memory }: Resources, time: Millis): Spent {
  return { cpu: cpu * time, memory: memory * time };
}

export function sum(all: readonly Spent[]): Spent {
  return all.reduce((a, b) => ({ cpu: a.cpu + b.cpu, memory: a.memory + b.memory }), nothing);
}

export function toUsage({ cpu, memory }: Spent): Usage {
  // To millionths: the last digits of a sum are noise.
  const rounded = (value: number) => Number(value.toFixed(6));
  return { cpuHours: rounded(cpu / hour), gibHours: rounded(memory / gib / hour) };
}

/** What these pods reserved, each from the end of its mains to its own end. */
export function wastedBy(pods: readonly PodHistory[]): Usage {
  return toUsage(sum(pods.map(({ last, until }) => spend(last.requests, until - last.mainsEndedAt))));
}

/** The most wasteful first, then the ones with most pods. */
export function worstFirst<T extends { readonly wasted: Usage; readonly pods?: number }>(
  entries: readonly T[],
): readonly T[] {
  const inCores = ({ wasted }: T) => wasted.cpuHours + wasted.gibHours / gibOfCore;
  return [...entries].sort((a, b) => inCores(b) - inCores(a) || (b.pods ?? 0) - (a.pods ?? 0));
}

/** What became of these pods. */
export function fatesOf(pods: readonly PodHistory[]): Fates {
  const fates = { Ended: 0, Gone: 0, Stuck: 0 };
  for (const { fate } of pods) fates[fate]++;
  const { Ended: ended, Gone: gone, Stuck: stuck } = fates;
  return { pods: pods.length, ended, gone, stuck, wasted: wastedBy(pods) };
}

export function totalsOf(
  pods: readonly PodHistory[],
  lastSweeps: ReadonlyMap<string, Millis>,
): History['totals'] {
  const stuck = pods.filter(({ fate }) => fate === 'Stuck');
  return {
    ...fatesOf(pods),
    reclaimed: toUsage(reclaimedBy(pods, lastSweeps)),
    wastedByStuck: wastedBy(stuck),
    reserved: sum(stuck.map(({ last }) => last.requests)),
    withoutRequests: pods.filter(({ last }) => hasNone(last.requests)).length,
    harm: countKinds(pods.flatMap(({ harm }) => harm ?? [])),
  };
}

/**
 * What the pods that sweeps ended would have gone on reserving: each until the next Job of its owner got stuck
 * or, for those of the last Job, until the last sweep of their cluster. So each owner counts with one Job at a
 * time, although more might have piled up without sweeps.
 */
function reclaimedBy(pods: readonly PodHistory[], lastSweeps: ReadonlyMap<string, Millis>): Spent {
  const spent: Spent[] = [];
  for (const ofOrigin of groupBy(pods, ({ originKey }) => [originKey]).values()) {
    const instances = [...groupBy(ofOrigin, (pod) => [instanceOf(pod)]).values()]
      .map((together) => ({ together, since: stuckSince(together) }))
      .sort((a, b) => a.since - b.since);
    for (const [index, { together }] of instances.entries()) {
      const next = instances[index + 1]?.since;
      for (const { cluster, fate, until, last } of together) {
        const to = next ?? lastSweeps.get(cluster.id) ?? until;
        if (fate === 'Ended') spent.push(spend(last.requests, Math.max(to - until, 0)));
      }
    }
  }
  return sum(spent);
}

/** Groups pods by their keys; a pod may be in several groups. */
export function groupBy(
  pods: readonly PodHistory[],
  keysOf: (pod: PodHistory) => Iterable<string>,
): ReadonlyMap<string, readonly [PodHistory, ...PodHistory[]]> {
  const groups = new Map<string, [PodHistory, ...PodHistory[]]>();
  for (const pod of pods) {
    for (const key of keysOf(pod)) {
      const group = groups.get(key);
      if (group) group.push(pod);
      else groups.set(key, [pod]);
    }
  }
  return groups;
}

/** When the mains of the first of these pods ended. */
export function stuckSince(pods: readonly PodHistory[]): Millis {
  return pods.reduce((least, { last }) => Math.min(least, last.mainsEndedAt), Infinity);
}
