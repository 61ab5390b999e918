import type { Millis } from '../../duration.ts';
import type { Clock, Cluster, Slots } from '../../ports.ts';
import type { PodReading } from '../../vocabulary/observation.ts';
import type { PodRef } from '../../vocabulary/pod.ts';
import type { Scope } from '../../vocabulary/scope.ts';

/** Waits for pods to change, for everybody at once. */
export interface Poller {
  /** The first reading that is enough, or the last one that could be had when the time is over or the sweep stops. */
  until(
    pod: PodRef,
    isEnough: (reading: PodReading) => boolean,
    timeout: Millis,
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
  readonly since: Millis;
  readonly deadline: Millis;
  readonly resolve: (reading: PodReading | undefined) => void;
  readonly reject: (error: unknown) => void;
  last: PodReading | undefined;
}

const pause: Millis = 1_000;
/** The kubelet tells nothing of an end before, so a pod that was sent a step just now is left to the next round. */
const settling: Millis = pause / 2;
/** One pod by GET costs about as much as this many in a list (`docs/adr/0003-shared-waits.md`). */
const podsPerGet = 10;

/**
 * One loop reads the awaited pods about once a second, each by GET when they are few beside the list, else by
 * the sweep's own list. A pod that left the list has ended or is gone, and is read by GET, as is its final phase.
 */
export function createPoller(options: PollerOptions): Poller {
  const { clock, stop } = options;
  const waits = new Set<Wait>();
  let running = false;

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
    const began = clock.now();
    await clock.sleep(pause, stop);
    const now = clock.now();
    const due = [...waits].filter((wait) => now >= Math.min(wait.since + settling, wait.deadline));
    const readings = await readAwaited(options, due);
    for (const wait of waits) {
      try {
        if (isOver(wait, readings.get(wait.pod.uid))) finish(wait);
      } catch (error) {
        fail(wait, error);
      }
    }
    // A list that takes long must not be all that the API server does.
    const spent = clock.now() - began - pause;
    if (spent > pause) await clock.sleep(spent, stop);
  }

  function isOver(wait: Wait, reading: PodReading | undefined): boolean {
    if (reading && reading.kind !== 'Unreadable') wait.last = reading;
    return (reading && wait.isEnough(reading)) || clock.now() >= wait.deadline;
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
    until(pod, isEnough, timeout) {
      return new Promise((resolve, reject) => {
        if (stop.aborted) return resolve(undefined);
        const since = clock.now();
        waits.add({ pod, isEnough, since, deadline: since + timeout, resolve, reject, last: undefined });
        if (!running) void run();
      });
    },
  };
}

async function readAwaited(
  { cluster, scope, slots, stop, listed }: PollerOptions,
  waits: readonly Wait[],
): Promise<ReadonlyMap<string, PodReading>> {
  const awaited = new Map(waits.map(({ pod }) => [pod.uid, pod]));
  const readings = new Map<string, PodReading>();
  if (awaited.size * podsPerGet > listed) {
    const isWhole = await slots(async () => {
      for await (const part of cluster.listPods(scope, stop)) {
        if (part.kind === 'Failed') return false;
        if (part.kind !== 'Page') continue;
        for (const pod of part.pods) {
          if (!awaited.delete(pod.ref.uid)) continue;
          readings.set(pod.ref.uid, { kind: 'Present', pod, asOf: part.asOf });
        }
      }
      return true;
    });
    // What is missing from a broken list may well be there: the next round tells.
    if (!isWhole) return readings;
  }
  await Promise.all(
    [...awaited.values()].map((pod) =>
      slots(async () => {
        if (!stop.aborted) readings.set(pod.uid, await cluster.readPod(pod, stop));
      }),
    ),
  );
  return readings;
}
