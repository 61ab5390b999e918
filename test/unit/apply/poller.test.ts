import { describe, expect, it } from 'vitest';
import { Poller } from '../../../src/apply/poller.ts';
import type { PodRef, PodView } from '../../../src/model/pod.ts';
import type { ListPart } from '../../../src/model/ports.ts';
import type { PodReading } from '../../../src/model/reading.ts';
import { createSlots } from '../../../src/util/concurrency.ts';
import { now, podView } from '../../builders/pod-view.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { steppedClock } from '../../kit/emulator/index.ts';

function ref(name: string): PodRef {
  return { namespace: 'demo', name, uid: name };
}

function page(...names: readonly string[]): ListPart {
  const pods = names.map((name): PodView => podView({ ref: ref(name) }));
  return { kind: 'Page', pods, malformed: [], atWork: [], asOf: now };
}

const failed: ListPart = { kind: 'Failed', namespace: undefined, problem: { kind: 'TimedOut', message: '' } };

interface Watch {
  readonly pod: string;
  /** For how long; until the first reading if it is not said. */
  readonly for?: number;
  /** When a reading is wanted at the earliest. */
  readonly after?: number;
}

interface Polling {
  /** What is watched, by the time at which that begins. */
  readonly watches: Readonly<Record<number, readonly Watch[]>>;
  /** How many pods the sweep's own list had; by default so many that pods are read one by one. */
  readonly listed?: number;
  /** Whether the sweep is of pods that were named. */
  readonly areNamed?: boolean;
  readonly lists?: readonly (readonly ListPart[])[];
  readonly listTakes?: number;
  readonly getTakes?: number;
  /** For how long other work takes all slots. */
  readonly slotsTaken?: number;
  readonly stopAt?: number;
}

/** What a poller asked a cluster in memory, and when it told what. */
async function poll({ watches, listed = 1_000, lists = [], listTakes = 0, getTakes = 0, ...more }: Polling) {
  const { areNamed, stopAt, slotsTaken = 0 } = more;
  const time = steppedClock(now);
  const clock = clockOf(time);
  const stopping = new AbortController();
  const [asked, told, wanted]: [string[], string[], string[][]] = [[], [], []];
  const elapsed = () => clock.now() - now;
  const slots = createSlots(4);
  for (let slot = 0; slot < 4; slot++) void slots(() => clock.sleep(slotsTaken, stopping.signal));
  const ends = new Map<string, number | undefined>();
  let listing = 0;
  const poller = new Poller({
    cluster: {
      async readPod({ name, uid = '' }): Promise<PodReading> {
        asked.push(`${elapsed()} get ${name}`);
        await clock.sleep(getTakes, stopping.signal);
        return {
          kind: 'Present',
          pod: podView({ ref: { namespace: 'demo', name, uid } }),
          asOf: clock.now(),
        };
      },
      async *listPods({ labelSelector }, _abort, isWanted = () => true) {
        wanted.push(['a', 'b', 'c'].filter((name) => isWanted(ref(name))));
        asked.push(`${elapsed()} list ${labelSelector}`);
        await clock.sleep(listTakes, stopping.signal);
        yield* lists[Math.min(listing++, lists.length - 1)] ?? [];
      },
    },
    scope: { namespaces: ['demo'], labelSelector: 'app', ...(areNamed && { pods: [ref('a')] }) },
    clock,
    slots,
    stop: stopping.signal,
    listed,
    hear(pod) {
      told.push(`${elapsed()} ${pod.name}`);
      if (ends.get(pod.name) === undefined) poller.watch(pod, undefined);
    },
    onRound() {
      for (const [name, end] of ends)
        if (end !== undefined && elapsed() >= end) poller.watch(ref(name), undefined);
    },
  });
  for (const [at, all] of Object.entries(watches)) {
    time.after(Number(at), () => {
      for (const { pod, after = 0, for: length } of all) {
        ends.set(pod, length === undefined ? undefined : Number(at) + length);
        const from = after > 0 ? clock.now() + after : 0;
        poller.watch(ref(pod), { from, until: clock.now() + (length ?? 60_000) });
      }
    });
  }
  if (stopAt !== undefined) time.after(stopAt, () => stopping.abort('Signal'));
  for (let seconds = 0; seconds < 40; seconds++) await time.advance(1_000);
  return { asked: asked.join('; '), told: told.join('; '), wanted };
}

type Row = readonly [title: string, polling: Polling, asked: string];
const [a, b, c] = [{ pod: 'a' }, { pod: 'b' }, { pod: 'c' }];

describe('a few pods are read one by one,', () => {
  // biome-ignore format: one row a line
  it.each<Row>([
    ['half a second after they were sent something', { watches: { 0: [a] } }, '500 get a'],
    ['and then four times a second', { watches: { 0: [{ pod: 'a', for: 1_300 }] } }, '500 get a; 750 get a; 1000 get a; 1250 get a; 1500 get a'],
    ['once a second after five seconds, until another one is watched', { watches: { 0: [{ pod: 'a', for: 8_000 }], 6500: [b] } }, [...Array.from({ length: 19 }, (_, index) => `${500 + index * 250} get a`), '6000 get a', '7000 get a; 7000 get b', ...['7250', '7500', '7750', '8000'].map((at) => `${at} get a`)].join('; ')],
    ['no sooner than it can be of use', { watches: { 0: [{ pod: 'a', after: 1_600 }] } }, '1750 get a'],
    ['not one that was sent something just now', { watches: { 0: [{ pod: 'a', for: 700 }], 600: [b] } }, '500 get a; 750 get a; 1250 get b'],
    ['but one whose time is over', { watches: { 0: [{ pod: 'a', for: 100 }] } }, '250 get a'],
    ['a loop that has ended begins again', { watches: { 0: [a], 2000: [b] } }, '500 get a; 2500 get b'],
    ['not any more when the sweep stops', { watches: { 0: [{ pod: 'a', for: 9_000 }] }, stopAt: 900 }, '500 get a; 750 get a'],
    ['not at all after that', { watches: { 1000: [a] }, stopAt: 900 }, ''],
    ['after a pause as long as the reads, if these take long', { watches: { 0: [{ pod: 'a', for: 12_000 }] }, getTakes: 4_000 }, '500 get a; 9500 get a'],
    ['by a list if that is cheaper', { watches: { 0: [a] }, listed: 9, lists: [[page('a')]] }, '1000 list app'],
    ['those that were named, which no list has at once', { watches: { 0: [a] }, listed: 9, areNamed: true }, '500 get a'],
    ['if that costs as much', { watches: { 0: [a] }, listed: 10 }, '500 get a'],
  ])('%s', async (_title, polling, expected) => {
    expect((await poll(polling)).asked).toBe(expected);
  });

  it('and each reading is told at once, while others are still made in four slots', async () => {
    const watches = { 0: [...'abcdefghi'].map((pod) => ({ pod })) };
    const { told } = await poll({ watches, getTakes: 2_000 });
    const at = (time: number, pods: string) => [...pods].map((pod) => `${time} ${pod}`);
    expect(told.split('; ')).toEqual([...at(2_500, 'abcd'), ...at(4_500, 'efgh'), ...at(6_500, 'i')]);
  });
});

describe('many pods are read by a list,', () => {
  const parts = [page('x', 'a'), { kind: 'Inconsistent' } as const, page('b')];
  // biome-ignore format: one row a line
  it.each<Row>([
    ['on whichever page they are', { watches: { 0: [a, b] }, lists: [parts] }, '1000 list app'],
    ['and by themselves if they have left it', { watches: { 0: [a, b] }, lists: [[page('a')]] }, '1000 list app; 1000 get b'],
    ['and by themselves if it breaks off', { watches: { 0: [a, b] }, lists: [[page('a'), failed], [page('b')]] }, '1000 list app; 1000 get b'],
    ['and by the rest of it if a namespace cannot be listed', { watches: { 0: [a, b] }, lists: [[failed, page('a', 'b')]] }, '1000 list app'],
    ['after a pause as long as the list, if that takes long', { watches: { 0: [{ pod: 'a', for: 13_000 }] }, listTakes: 4_000, lists: [[page('a')]] }, '1000 list app; 10000 list app'],
    ['after no other pause if it does not', { watches: { 0: [{ pod: 'a', for: 4_000 }] }, listTakes: 1_000, lists: [[page('a')]] }, '1000 list app; 3000 list app'],
    ['after no other pause if it only waited long for a slot', { watches: { 0: [{ pod: 'a', for: 6_500 }] }, slotsTaken: 5_000, lists: [[page('a')]] }, '5000 list app; 6000 list app; 7000 list app'],
    ['after no other pause if only pods that left it took long', { watches: { 0: [{ pod: 'a', for: 6_500 }, b] }, getTakes: 4_000, lists: [[page('a')]] }, '1000 list app; 1000 get b; 6000 list app; 7000 list app'],
    ['and none by itself when the sweep stops meanwhile', { watches: { 0: [a] }, listTakes: 2_000, stopAt: 2_000 }, '1000 list app'],
  ])('%s', async (_title, polling, expected) => {
    expect((await poll({ listed: 0, ...polling })).asked).toBe(expected);
  });

  it('of those that are missing from one that breaks off, fifty at a time by themselves', async () => {
    const watches = { 0: Array.from({ length: 60 }, (_, index) => ({ pod: `p${index}` })) };
    const { asked } = await poll({ watches, listed: 0, lists: [[failed]] });
    const rounds = asked.split('; ').map((one) => one.replace(/ p\d+$/, ''));
    const round = (time: number, gets: number) => [`${time} list app`, ...Array(gets).fill(`${time} get`)];
    expect(rounds).toEqual([...round(1_000, 50), ...round(2_000, 10)]);
  });

  it('and of those that run on, the ones that were read longest ago', async () => {
    const watches = { 0: Array.from({ length: 60 }, (_, index) => ({ pod: `p${index}`, for: 2_500 })) };
    const { told } = await poll({ watches, listed: 0, lists: [[failed]] });
    const second = told.split('; ').filter((one) => one.startsWith('2000 '));
    expect(second.slice(0, 11).map((one) => one.slice(5))).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `p${50 + index}`),
      'p0',
    ]);
  });

  it('which gives only those that are awaited, and what it gave is told', async () => {
    const watches = { 0: [a, { ...b, after: 5_000 }, c] };
    const { wanted, told } = await poll({ watches, listed: 0, lists: [parts, [page('c')], [page('b')]] });
    expect(wanted).toEqual([['a', 'c'], ['b']]);
    expect(told).toBe('1000 a; 1000 c; 5000 b');
  });
});
