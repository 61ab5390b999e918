import type { PodRef } from '../model/pod.ts';
import type { Cluster } from '../model/ports.ts';
import type { PodReading } from '../model/reading.ts';
import type { Scope } from '../model/scope.ts';
import type { Slots } from '../util/concurrency.ts';
import type { Clock, Millis } from '../util/time.ts';

interface PollerOptions {
  readonly cluster: Pick<Cluster, 'listPods' | 'readPod'>;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly slots: Slots;
  readonly stop: AbortSignal;
  /** How many pods the sweep's own list had: what another list costs. */
  readonly listed: number;
  readonly hear: (pod: PodRef, reading: PodReading) => void;
  /** After each round, and when it stops. */
  readonly onRound: () => void;
}

interface Watch {
  readonly pod: PodRef;
  readonly from: Millis;
  readonly until: Millis;
}

const longestPause: Millis = 1_000;
/** Few pods are read more often at first, with up to 200 reads a second. */
const shortestPause: Millis = 250;
const pausePerPod: Millis = 5;
const timeAtFirst: Millis = 5_000;
/** The kubelet reports no end sooner than this, so a pod that was sent a step just now is left to the next round. */
const timeToTell: Millis = 500;
/** One pod by GET costs about as much as this many in a list (`docs/internals/adr/0003-shared-waits.md`). */
const podsPerGet = 10;
/** Most of what is missing from a broken list is still there, but a namespace that cannot be listed breaks every one of them. */
const readsAfterBrokenList = 50;

/**
 * One loop reads all pods that are watched: few beside the list by GET, one to four times a second, and more, about once a second,
 * by the sweep's own list. A pod that left the list has ended or is gone, and is read by GET, as is its final phase.
 */
export class Poller {
  readonly #watches = new Map<string, Watch>();
  #running = false;
  #newest: Millis = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: PollerOptions) {}

  /** Begins to watch a pod, changes until when, or ends it. */
  watch(pod: PodRef, times: { readonly from: Millis; readonly until: Millis } | undefined): void {
    const before = this.#watches.get(pod.uid);
    if (!times) {
      this.#watches.delete(pod.uid);
      return;
    }
    const now = this.options.clock.now();
    if (!before) this.#newest = now;
    const from = times.from > 0 ? times.from : (before?.from ?? now + timeToTell);
    this.#watches.set(pod.uid, { pod, from, until: times.until });
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    const { stop, onRound } = this.options;
    this.#running = true;
    while (this.#watches.size > 0 && !stop.aborted) {
      await this.#readOnce();
      onRound();
    }
    this.#running = false;
  }

  async #readOnce(): Promise<void> {
    const { clock, stop, hear } = this.options;
    await clock.sleep(this.#pause(), stop);
    const now = clock.now();
    const awaited = new Map([...this.#watches].filter(([, { from, until }]) => now >= Math.min(from, until)));
    // Readings are passed on at once, because reading thousands of pods takes a while.
    const tell = (pod: PodRef, reading: PodReading) => {
      if (!awaited.delete(pod.uid)) return;
      this.#putLast(pod.uid);
      hear(pod, reading);
    };
    // Steps for thousands of pods may come first, which is not the API server's time.
    let began = Number.POSITIVE_INFINITY;
    const slots: Slots = (work) =>
      this.options.slots(() => {
        began = Math.min(began, clock.now());
        return work();
      });
    let isWhole = true;
    if (this.#isFew(awaited.size)) await this.#readEach([...awaited.values()], slots, tell);
    else isWhole = await this.#readList(({ uid }) => awaited.has(uid), slots, tell);
    const spent = clock.now() - began;
    // Most pods that left the list have ended, and are read no more.
    const missing = [...awaited.values()];
    await this.#readEach(isWhole ? missing : missing.slice(0, readsAfterBrokenList), slots, tell);
    // Reads that take long must not be all that the API server does.
    if (spent > longestPause) await clock.sleep(spent, stop);
  }

  /** Those that were read longest ago come first. */
  #putLast(uid: string): void {
    const watch = this.#watches.get(uid);
    if (watch && this.#watches.delete(uid)) this.#watches.set(uid, watch);
  }

  #pause(): Millis {
    const { size } = this.#watches;
    const isLate = this.options.clock.now() - this.#newest >= timeAtFirst;
    if (isLate || !this.#isFew(size)) return longestPause;
    return Math.min(longestPause, Math.max(shortestPause, size * pausePerPod));
  }

  /** Whether pods are read one by one. If the user named pods, a list would also read them one after the other. */
  #isFew(pods: number): boolean {
    const { scope, listed } = this.options;
    return scope.pods !== undefined || pods * podsPerGet <= listed;
  }

  /** Whether the list is whole. */
  async #readList(
    isAwaited: (pod: PodRef) => boolean,
    slots: Slots,
    tell: (pod: PodRef, reading: PodReading) => void,
  ): Promise<boolean> {
    const { cluster, scope, stop } = this.options;
    return slots(async () => {
      let isWhole = true;
      for await (const part of cluster.listPods(scope, stop, isAwaited)) {
        isWhole &&= part.kind !== 'Failed';
        if (part.kind !== 'Page') continue;
        for (const pod of part.pods) tell(pod.ref, { kind: 'Present', pod, asOf: part.asOf });
      }
      return isWhole;
    });
  }

  async #readEach(
    watches: readonly Watch[],
    slots: Slots,
    tell: (pod: PodRef, reading: PodReading) => void,
  ): Promise<void> {
    const { cluster, stop } = this.options;
    const readOne = async (pod: PodRef) => {
      if (!stop.aborted) tell(pod, await cluster.readPod(pod, stop));
    };
    await Promise.all(watches.map(({ pod }) => slots(() => readOne(pod))));
  }
}
