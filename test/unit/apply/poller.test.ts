import { describe, expect, it } from 'vitest';
import { Poller } from '../../../src/apply/poller.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { Cluster, ListPart } from '../../../src/model/ports.ts';
import type { PodReading } from '../../../src/model/reading.ts';
import type { Scope } from '../../../src/model/scope.ts';
import { createSlots } from '../../../src/util/concurrency.ts';
import { now, podView } from '../../builders/pod-view.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { steppedClock } from '../../kit/emulator/index.ts';

const scope: Scope = { namespaces: ['demo'], labelSelector: 'app=work' };
const unreadable: PodReading = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } };
const failed: ListPart = {
  kind: 'Failed',
  namespace: undefined,
  problem: { kind: 'TimedOut', message: 'no answer' },
};

function pod(number: number, more: Partial<PodView> = {}): PodView {
  return podView({ ref: { namespace: 'demo', name: `pod-${number}`, uid: `uid-${number}` }, ...more });
}

function page(...pods: readonly PodView[]): ListPart {
  return { kind: 'Page', pods, malformed: [], asOf: now };
}

interface Options {
  /** How many pods the sweep's own list had; by default so many that pods are read one by one. */
  readonly listed?: number;
  readonly get?: (name: string) => PodReading;
  readonly list?: () => readonly ListPart[];
  /** How long a list takes. */
  readonly listTakes?: number;
  /** How long a GET takes. */
  readonly getTakes?: number;
}

/** A poller of a cluster in memory, and what that was asked. */
function polling({ listed = 1_000, listTakes = 0, getTakes = 0, ...answers }: Options = {}) {
  const time = steppedClock(now);
  const clock = clockOf(time);
  const stopping = new AbortController();
  const asked: string[] = [];
  const wanted: (readonly number[])[] = [];
  const cluster: Pick<Cluster, 'listPods' | 'readPod'> = {
    async readPod({ name }) {
      asked.push(`${clock.now() - now} get ${name}`);
      if (getTakes > 0) await clock.sleep(getTakes, stopping.signal);
      return (
        answers.get?.(name) ?? { kind: 'Present', pod: pod(Number(name.split('-')[1])), asOf: clock.now() }
      );
    },
    async *listPods({ labelSelector }, _abort, isWanted = () => true) {
      wanted.push([1, 2, 3].filter((number) => isWanted(pod(number).ref)));
      asked.push(`${clock.now() - now} list ${labelSelector}`);
      await clock.sleep(listTakes, stopping.signal);
      yield* answers.list?.() ?? [];
    },
  };
  const ended: string[] = [];
  const waits = new Map<string, Wait>();
  const end = (uid: string, { number, last, resolve }: Wait) => {
    waits.delete(uid);
    poller.watch(pod(number).ref, undefined);
    ended.push(`${clock.now() - now} pod-${number}`);
    resolve(last);
  };
  const poller = new Poller({
    cluster,
    scope,
    clock,
    slots: createSlots(4),
    stop: stopping.signal,
    listed,
    hear({ uid }, reading) {
      const wait = waits.get(uid);
      if (!wait) return;
      const last = reading.kind === 'Unreadable' ? wait.last : reading;
      waits.set(uid, { ...wait, last });
      if (wait.isEnough(reading)) end(uid, { ...wait, last });
    },
    onRound() {
      for (const [uid, wait] of waits)
        if (stopping.signal.aborted || clock.now() >= wait.until) end(uid, wait);
    },
  });
  const until = (number: number, isEnough: (reading: PodReading) => boolean, timeout: number, earliest = 0) =>
    new Promise<PodReading | undefined>((resolve) => {
      const [from, to] = [earliest > 0 ? clock.now() + earliest : 0, clock.now() + timeout];
      waits.set(pod(number).ref.uid, { number, isEnough, until: to, last: undefined, resolve });
      poller.watch(pod(number).ref, { from, until: to });
    });
  return {
    time,
    asked,
    /** Which of the pods 1 to 3 each list was to give. */
    wanted,
    /** When each wait was over. */
    ended,
    stop: () => stopping.abort('Signal'),
    until,
    untilAt: (number: number, earliest: number) => until(number, () => true, 60_000, earliest),
  };
}

/** Waits for a reading of a pod that is enough, as the scheduler does. */
interface Wait {
  readonly number: number;
  readonly isEnough: (reading: PodReading) => boolean;
  readonly until: number;
  readonly last: PodReading | undefined;
  readonly resolve: (reading: PodReading | undefined) => void;
}

const never = () => false;
const always = () => true;
const isGone = ({ kind }: PodReading) => kind === 'Gone';

describe('a pod is read half a second after it was sent something, and then four times a second,', () => {
  it('until a reading is enough', async () => {
    const { until, time, asked, ended } = polling({
      get: () => (asked.length < 3 ? { kind: 'Present', pod: pod(1), asOf: now } : { kind: 'Gone' }),
    });
    const waiting = until(1, isGone, 60_000);
    await time.advance(10_000);
    expect(await waiting).toEqual({ kind: 'Gone' });
    expect(asked).toEqual(['500 get pod-1', '750 get pod-1', '1000 get pod-1']);
    expect(ended).toEqual(['1000 pod-1']);
  });

  it('until the time is over, and then the last reading is what is known', async () => {
    const { until, time, asked, ended } = polling();
    const waiting = until(1, never, 2_500);
    await time.advance(10_000);
    expect(await waiting).toEqual({ kind: 'Present', pod: pod(1), asOf: now + 2_500 });
    expect(asked).toHaveLength(9);
    expect(ended).toEqual(['2500 pod-1']);
  });

  it('but after five seconds only once a second, until another one is watched', async () => {
    const { until, time, asked } = polling();
    const waiting = [until(1, never, 8_000)];
    await time.advance(7_000);
    expect(asked.slice(-3)).toEqual(['5000 get pod-1', '6000 get pod-1', '7000 get pod-1']);
    waiting.push(until(2, always, 60_000));
    await time.advance(10_000);
    await Promise.all(waiting);
    expect(asked.slice(-2)).toEqual(['8000 get pod-1', '8000 get pod-2']);
  });

  it('but no sooner than it can be enough', async () => {
    const { untilAt, time, asked } = polling();
    const waiting = untilAt(1, 1_600);
    await time.advance(10_000);
    await waiting;
    expect(asked).toEqual(['1750 get pod-1']);
  });

  it('unless a step was sent to it just now, or its time is over', async () => {
    const { until, time, asked } = polling();
    const first = until(1, never, 2_000);
    await time.advance(600);
    const late = until(2, never, 2_000);
    const short = until(3, never, 100);
    await time.advance(10_000);
    await Promise.all([first, late, short]);
    const firstOf = (name: string) => asked.find((request) => request.endsWith(name));
    expect(['pod-1', 'pod-2', 'pod-3'].map(firstOf)).toEqual([
      '500 get pod-1',
      '1250 get pod-2',
      '750 get pod-3',
    ]);
  });

  it('and what could not be read is not the last reading', async () => {
    const { until, time, asked } = polling({
      get: () => (asked.length > 1 ? unreadable : { kind: 'Present', pod: pod(1), asOf: now }),
    });
    const waiting = until(1, never, 1_000);
    await time.advance(10_000);
    expect(await waiting).toEqual({ kind: 'Present', pod: pod(1), asOf: now });
    expect(asked).toHaveLength(3);
  });

  it('and nothing is known when it could never be read', async () => {
    const { until, time } = polling({ get: () => unreadable });
    const waiting = until(1, never, 2_000);
    await time.advance(2_000);
    expect(await waiting).toBeUndefined();
  });

  it('until the sweep stops, and then the last reading is what is known', async () => {
    const { until, time, asked, stop } = polling();
    const waiting = until(1, never, 60_000);
    await time.advance(900);
    stop();
    await time.advance(0);
    expect(await waiting).toEqual({ kind: 'Present', pod: pod(1), asOf: now + 750 });
    await time.advance(10_000);
    expect(asked).toHaveLength(2);
  });
});

describe('all that are waited for are read together', () => {
  it('by one loop, which ends with the last of them and begins anew', async () => {
    const { until, time, asked, ended } = polling();
    const first = [until(1, always, 60_000), until(2, never, 750)];
    await time.advance(10_000);
    await Promise.all(first);
    expect(asked).toEqual(['500 get pod-1', '500 get pod-2', '750 get pod-2']);
    const again = until(3, always, 60_000);
    await time.advance(10_000);
    await again;
    expect(asked.at(-1)).toBe('10500 get pod-3');
    expect(ended).toEqual(['500 pod-1', '750 pod-2', '10500 pod-3']);
  });

  it.each([
    [10, '500 get pod-1'],
    [9, '1000 list app=work'],
  ])('one of %i pods by %s: a list costs as much as one tenth of its pods', async (listed, request) => {
    const { until, time, asked } = polling({ listed, list: () => [page(pod(1))] });
    const waiting = until(1, always, 60_000);
    await time.advance(1_000);
    await waiting;
    expect(asked).toEqual([request]);
  });
});

it('a reading is told at once, while others are still to be read', async () => {
  const { until, time, ended } = polling({ getTakes: 2_000 });
  const waiting = Array.from({ length: 9 }, (_, number) => until(number, always, 60_000));
  await time.advance(10_000);
  await Promise.all(waiting);
  // There are four slots.
  expect(ended.map((end) => Number(end.split(' ')[0]))).toEqual([
    2_500, 2_500, 2_500, 2_500, 4_500, 4_500, 4_500, 4_500, 6_500,
  ]);
});

it('after reads of single pods that take long, the pause is as long', async () => {
  const { until, time, asked } = polling({ getTakes: 4_000 });
  const waiting = until(1, never, 12_000);
  await time.advance(30_000);
  await waiting;
  expect(asked).toEqual(['500 get pod-1', '9500 get pod-1']);
});

describe('by a list', () => {
  it('that gives only the pods that are awaited', async () => {
    const { until, untilAt, time, wanted } = polling({ listed: 0, list: () => [page(pod(1)), page(pod(3))] });
    const waiting = [until(1, always, 60_000), until(3, always, 60_000), untilAt(2, 5_000)];
    await time.advance(1_500);
    await Promise.all(waiting.slice(0, 2));
    // The second one cannot have ended yet.
    expect(wanted).toEqual([[1, 3]]);
    await time.advance(10_000);
    await Promise.all(waiting);
    expect(wanted.at(-1)).toEqual([2]);
  });

  it('those that are waited for are found on any page', async () => {
    const parts = [page(pod(7), pod(1)), { kind: 'Inconsistent' } as const, page(pod(2))];
    const { until, time, asked } = polling({ listed: 0, list: () => parts });
    const waiting = [until(1, always, 60_000), until(2, always, 60_000)];
    await time.advance(1_000);
    expect(await Promise.all(waiting)).toEqual([
      { kind: 'Present', pod: pod(1), asOf: now },
      { kind: 'Present', pod: pod(2), asOf: now },
    ]);
    expect(asked).toEqual(['1000 list app=work']);
  });

  it('one that has left it is read by itself', async () => {
    const { until, time, asked } = polling({
      listed: 0,
      list: () => [page(pod(1))],
      get: () => ({ kind: 'Gone' }),
    });
    const waiting = [until(1, always, 60_000), until(2, always, 60_000)];
    await time.advance(1_000);
    expect(await Promise.all(waiting)).toEqual([
      { kind: 'Present', pod: pod(1), asOf: now },
      { kind: 'Gone' },
    ]);
    expect(asked).toEqual(['1000 list app=work', '1000 get pod-2']);
  });

  it('that breaks off, what it had counts, and what it lacks is left to the next', async () => {
    const { until, time, asked } = polling({
      listed: 0,
      list: () => (asked.length === 1 ? [page(pod(1)), failed] : [page(pod(2))]),
    });
    const waiting = [until(1, always, 60_000), until(2, always, 60_000)];
    await time.advance(2_000);
    expect(await Promise.all(waiting)).toMatchObject([{ pod: pod(1) }, { pod: pod(2) }]);
    expect(asked).toEqual(['1000 list app=work', '2000 list app=work']);
  });

  it('that takes long, the pause is as long', async () => {
    const { until, time, asked } = polling({ listed: 0, listTakes: 4_000, list: () => [page(pod(1))] });
    const waiting = until(1, never, 13_000);
    await time.advance(30_000);
    expect(await waiting).toMatchObject({ kind: 'Present' });
    expect(asked).toEqual(['1000 list app=work', '10000 list app=work']);
  });

  it('that takes no longer than the pause, there is no other', async () => {
    const { until, time, asked } = polling({ listed: 0, listTakes: 1_000, list: () => [page(pod(1))] });
    const waiting = until(1, never, 4_000);
    await time.advance(30_000);
    await waiting;
    expect(asked).toEqual(['1000 list app=work', '3000 list app=work']);
  });

  it('no pod is read by itself any more when the sweep stops meanwhile', async () => {
    const { until, time, asked, stop } = polling({ listed: 0, listTakes: 2_000 });
    const waiting = until(1, never, 60_000);
    await time.advance(2_000);
    stop();
    await time.advance(0);
    expect(await waiting).toBeUndefined();
    expect(asked).toEqual(['1000 list app=work']);
  });
});
