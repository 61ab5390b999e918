import type { PodReading } from '../../model/observation.ts';
import type { PodRef } from '../../model/pod.ts';
import type { Cluster } from '../../model/ports.ts';
import type { Scope } from '../../model/scope.ts';
import type { Slots } from '../../util/concurrency.ts';
import type { Clock, Millis } from '../../util/time.ts';

/** Waits for pods to change, for everybody at once. */
export interface Poller {
  /**
   * The first reading that is enough, or the last one that could be had when the time is over or the sweep stops. Nothing is read
   * before `earliest`: no sooner can a reading be enough.
   */
  until(
    pod: PodRef,
    isEnough: (reading: PodReading) => boolean,
    timeout: Millis,
    earliest?: Millis,
  ): Promise<PodReading | undefined>;
}

interface PollerOptions {
  readonly cluster: Pick<Cluster, 'listPods' | 'readPod'>;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly slots: Slots;
  readonly stop: AbortSignal;
  /** How many pods the sweep's own list had: what another list costs. */
  readonly listed: number;
}

interface Wait {
  readonly pod: PodRef;
  readonly isEnough: (reading: PodReading) => boolean;
  /** When it is read first. */
  readonly from: Millis;
  readonly deadline: Millis;
  readonly resolve: (reading: PodReading | undefined) => void;
  readonly reject: (error: unknown) => void;
  last: PodReading | undefined;
}

const longestPause: Millis = 1_000;
/** Few pods are read more often at first, with up to 200 reads a second. */
const shortestPause: Millis = 250;
const pausePerPod: Millis = 5;
const timeAtFirst: Millis = 5_000;
/** The kubelet tells nothing of an end before, so a pod that was sent a step just now is left to the next round. */
const settling: Millis = 500;
/** One pod by GET costs about as much as this many in a list (`docs/adr/0003-shared-waits.md`). */
const podsPerGet = 10;

/**
 * One loop reads the awaited pods: few beside the list by GET, one to four times a second, and more, about once a second, by
 * the sweep's own list. A pod that left the list has ended or is gone, and is read by GET, as is its final phase.
 */
export function createPoller(options: PollerOptions): Poller {
  const { clock, stop } = options;
  const waits = new Set<Wait>();
  let running = false;
  let newest: Millis = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    running = true;
    try {
      while (waits.size > 0 && !stop.aborted) await readOnce();
    } catch (error) {
      for (const wait of waits) fail(wait, error);
    }
    running = false;
    for (const wait of waits) finish(wait);
  }

  async function readOnce(): Promise<void> {
    await clock.sleep(isFew(waits.size) ? pauseFor(waits.size, clock.now() - newest) : longestPause, stop);
    const now = clock.now();
    const awaited = byPod([...waits].filter((wait) => now >= Math.min(wait.from, wait.deadline)));
    // Whoever waits hears at once: to read thousands of pods takes a while.
    const hear: Hear = ({ uid }, reading) => {
      const waiting = awaited.get(uid) ?? [];
      awaited.delete(uid);
      for (const wait of waiting) look(wait, reading);
    };
    const isWhole = isFew(awaited.size) || (await readList(options, ({ uid }) => awaited.has(uid), hear));
    // What is missing from a broken list may well be there: the next round tells.
    if (isWhole) await readEach(options, podsOf(awaited), hear);
    for (const wait of waits) look(wait, undefined);
    // Reads that take long must not be all that the API server does.
    const spent = clock.now() - now;
    if (spent > longestPause) await clock.sleep(spent, stop);
  }

  /** So few that they are read one by one. */
  function isFew(pods: number): boolean {
    return pods * podsPerGet <= options.listed;
  }

  function look(wait: Wait, reading: PodReading | undefined): void {
    try {
      if (reading && reading.kind !== 'Unreadable') wait.last = reading;
      const isOver = (reading && wait.isEnough(reading)) || clock.now() >= wait.deadline;
      if (isOver) finish(wait);
    } catch (error) {
      fail(wait, error);
    }
  }

  function fail(wait: Wait, error: unknown): void {
    waits.delete(wait);
    wait.reject(error);
  }

  function finish(wait: Wait): void {
    waits.delete(wait);
    wait.resolve(wait.last);
  }

  return {
    until(pod, isEnough, timeout, earliest = settling) {
      return new Promise((resolve, reject) => {
        if (stop.aborted) return resolve(undefined);
        const now = clock.now();
        newest = now;
        const times = { from: now + earliest, deadline: now + timeout };
        waits.add({ pod, isEnough, ...times, resolve, reject, last: undefined });
        if (!running) void run();
      });
    },
  };
}

function pauseFor(pods: number, sinceTheNewest: Millis): Millis {
  if (sinceTheNewest >= timeAtFirst) return longestPause;
  return Math.min(longestPause, Math.max(shortestPause, pods * pausePerPod));
}

type Hear = (pod: PodRef, reading: PodReading) => void;

function byPod(waits: readonly Wait[]): Map<string, readonly Wait[]> {
  const pods = new Map<string, readonly Wait[]>();
  for (const wait of waits) pods.set(wait.pod.uid, [...(pods.get(wait.pod.uid) ?? []), wait]);
  return pods;
}

function podsOf(awaited: ReadonlyMap<string, readonly Wait[]>): readonly PodRef[] {
  return [...awaited.values()].flatMap(([wait]) => wait?.pod ?? []);
}

/** Whether the list came to its end. */
async function readList(
  { cluster, scope, slots, stop }: PollerOptions,
  isAwaited: (pod: PodRef) => boolean,
  hear: Hear,
): Promise<boolean> {
  return slots(async () => {
    for await (const part of cluster.listPods(scope, stop, isAwaited)) {
      if (part.kind === 'Failed') return false;
      if (part.kind !== 'Page') continue;
      for (const pod of part.pods) hear(pod.ref, { kind: 'Present', pod, asOf: part.asOf });
    }
    return true;
  });
}

async function readEach(
  { cluster, slots, stop }: PollerOptions,
  pods: readonly PodRef[],
  hear: Hear,
): Promise<void> {
  const readOne = async (pod: PodRef) => {
    if (!stop.aborted) hear(pod, await cluster.readPod(pod, stop));
  };
  await Promise.all(pods.map((pod) => slots(() => readOne(pod))));
}
