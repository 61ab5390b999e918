import { describe, expect, it } from 'vitest';
import {
  brokenNote,
  hashOf,
  type Note,
  nameOfStep,
  parseNotes,
  readNotes,
} from '../../../src/facts/notes.ts';
import type { Notebook } from '../../../src/model/ports.ts';
import type { Clock } from '../../../src/util/time.ts';
import { step, steps } from '../../builders/plan.ts';
import { hour, now, podView } from '../../builders/pod-view.ts';
import { notebook } from '../../kit/notebook.ts';

const day = 24 * hour;
const { signal: abort } = new AbortController();

function at(time: number): Clock {
  return { now: () => time, sleep: async () => undefined };
}

async function sweep(book: Notebook | undefined, time: number, ...made: readonly Note[]) {
  const notes = await readNotes(book, at(time), abort);
  for (const note of made) notes.add(note);
  await notes.written(abort);
  return notes;
}

const { ref } = podView();
const harm = (time: number, pod = ref.name): Note => {
  return { kind: 'Harmed', namespace: 'demo', pod, job: 'work', harm: 'RunsAgain', expected: true, at: time };
};
const begun = (time: number, due = time): Note => {
  return { kind: 'Begun', namespace: 'demo', what: hashOf('term'), at: time, due };
};
const watched = { container: 'sidecar', containerId: `containerd://${'0'.repeat(64)}` };
const unseen = (pod = 'pod', promises: readonly string[] = [], due = now + hour): Note => {
  return { kind: 'Unseen', namespace: 'demo', pod, uid: ref.uid, ...watched, promises, at: now, due };
};
const broken = brokenNote(hashOf('image --password=secret'), 'demo', now);

describe('a promise that was broken', () => {
  it('is known to the next sweep, in a text that does not show what it was', async () => {
    const book = notebook();
    await sweep(book, now, broken);
    expect(book.page.text).toMatch(
      /^v3\n\{"kind":"Broken","namespace":"demo","what":"[0-9a-f]{16}","at":\d+\}$/,
    );
    const next = await readNotes(book, at(now + day), abort);
    expect(next.isBroken('image --password=secret')).toBe(true);
    expect(next.isBroken('image')).toBe(false);
  });

  it.each<readonly [title: string, Parameters<typeof brokenNote>[3], kept: number]>([
    ['is forgotten after 30 days', undefined, 30 * day],
    ['by an image that could not be started is forgotten after a day', 'NotStarted', day],
  ])('%s', async (_title, end, kept) => {
    const book = notebook();
    await sweep(book, now, brokenNote(hashOf('promise'), 'demo', now, end));
    const isKnown = async (time: number) => (await readNotes(book, at(time), abort)).isBroken('promise');
    expect([await isKnown(now + kept - 1), await isKnown(now + kept)]).toEqual([true, false]);
  });

  it('stays noted as it was broken last, once', async () => {
    const book = notebook();
    await sweep(book, now, broken);
    await sweep(book, now + day, brokenNote(hashOf('image --password=secret'), 'demo', now + day));
    expect(book.page.text?.split('\n')).toHaveLength(2);
    expect((await readNotes(book, at(now + 30 * day), abort)).isBroken('image --password=secret')).toBe(true);
  });
});

describe('a step that was begun', () => {
  const due = now + hour;

  it('is known to the next sweep, until a day after its time', async () => {
    const book = notebook();
    await sweep(book, now, begun(now, due));
    const known = async (time: number, name = 'term') => (await readNotes(book, at(time), abort)).begun(name);
    expect(await known(now + 300_000)).toMatchObject({ at: now, due });
    expect(await known(now + 300_000, 'kill')).toBeUndefined();
    expect([await known(due + day - 1), await known(due + day)]).toMatchObject([{ due }, undefined]);
  });

  it('has the cluster’s time, whatever the clocks of the machines say', async () => {
    const book = notebook();
    // The first clock is an hour behind the cluster's, the second three hours ahead of it.
    const first = await readNotes(book, at(now), abort, hour);
    first.add(begun(now, due));
    await first.written(abort);
    const second = await readNotes(book, at(now + 4 * hour), abort, -3 * hour);
    expect(second.begun('term')).toMatchObject({ at: now + 4 * hour, due: due + 4 * hour });
    second.drop(begun(now + 4 * hour, due + 4 * hour));
    await second.written(abort);
    expect((await readNotes(book, at(now), abort, hour)).begun('term')).toBeUndefined();
  });

  it('has the same name whatever is known of its end, and another one for another instance', () => {
    const end = { exitCode: 0, grace: 1, blocked: 'UnknownEnd', promisedBy: 'Owner', platform: 'x' } as const;
    const known = step(15, { source: { kind: 'LastResort' }, raisesLimit: true, ...end });
    const name = nameOfStep(ref, 'containerd://a', step(15));
    expect(nameOfStep(ref, 'containerd://a', known)).toBe(name);
    const others = [
      nameOfStep(ref, 'containerd://b', step(15)),
      nameOfStep(ref, 'containerd://a', step(9)),
      nameOfStep(ref, 'containerd://a', steps.Signal),
      nameOfStep({ ...ref, uid: 'u' }, 'containerd://a', step(15)),
    ];
    expect(new Set([name, ...others]).size).toBe(5);
  });
});

describe('a sidecar whose end was not seen', () => {
  it('is known to later sweeps until a day after its time, or until one drops it', async () => {
    const book = notebook();
    await sweep(book, now, unseen());
    const known = async (time: number) => (await readNotes(book, at(time), abort)).unseen;
    expect(await known(now + hour + day - 1)).toEqual([unseen()]);
    expect(await known(now + hour + day)).toEqual([]);
    const next = await readNotes(book, at(now), abort);
    for (const one of next.unseen) next.drop(one);
    expect([await next.written(abort), await known(now)]).toEqual([true, []]);
  });

  it('is noted once, and a promise that it broke is known at once', async () => {
    const book = notebook();
    await sweep(book, now, unseen());
    await sweep(book, now, unseen('pod', [hashOf('promise')]));
    const notes = await readNotes(book, at(now), abort);
    const [one] = notes.unseen;
    expect([notes.unseen.length, notes.isBroken('promise')]).toEqual([1, false]);
    notes.add(brokenNote(one?.promises[0] ?? '', 'demo', now));
    expect(notes.isBroken('promise')).toBe(true);
  });
});

it('sidecars whose end was not seen push out no broken promise, and no step that was begun', async () => {
  const book = notebook();
  const many = Array.from({ length: 300 }, (_, index) => unseen(`pod-${index}`, [], now));
  await sweep(book, now - hour, broken);
  await sweep(book, now, begun(now - hour, now), ...many);
  const next = await readNotes(book, at(now), abort);
  expect(next.unseen.length).toBeGreaterThan(100);
  expect(next.isBroken('image --password=secret')).toBe(true);
  expect(next.begun('term')).toBeDefined();
});

describe('harm', () => {
  it('is for the next report to repeat, once', async () => {
    const book = notebook();
    await sweep(book, now, harm(now));
    expect((await sweep(book, now + hour)).harms).toEqual([harm(now)]);
    expect(book.page.text).toBe('v3');
    expect((await readNotes(book, at(now + hour), abort)).harms).toEqual([]);
  });

  it('of another pod, or of the same one since, is not', async () => {
    const book = notebook();
    await sweep(book, now, harm(now));
    const notes = await readNotes(book, at(now), abort);
    await sweep(book, now, harm(now, 'other'));
    await notes.written(abort);
    expect((await readNotes(book, at(now), abort)).harms).toEqual([harm(now, 'other')]);
  });

  it('is forgotten after 30 days', () => {
    const text = `v3\n${JSON.stringify(harm(now))}`;
    expect(parseNotes(text, now + 30 * day - 1)).toEqual([harm(now)]);
    expect(parseNotes(text, now + 30 * day)).toEqual([]);
  });
});

describe('notes are written', () => {
  it('in one write for all, and not at all if there are none', async () => {
    const book = notebook();
    await sweep(book, now, broken, harm(now), begun(now));
    expect([book.page.writes, book.page.text?.split('\n').length]).toEqual([1, 4]);
    const empty = notebook();
    const none = await sweep(empty, now);
    expect([empty.page.writes, await none.written(abort)]).toEqual([0, true]);
  });

  it.each([
    [2, 3, true],
    [99, 5, false],
  ])('again if another shard was faster %i times: %i times in all', async (conflicts, writes, isWritten) => {
    const book = notebook(conflicts);
    const notes = await readNotes(book, at(now), abort);
    notes.add(broken);
    expect([await notes.written(abort), book.page.writes]).toEqual([isWritten, writes]);
  });

  it('also after the sweep was stopped, beside what was noted before', async () => {
    const book = notebook();
    await sweep(book, now, brokenNote(hashOf('before'), 'demo', now));
    const stop = new AbortController();
    const readUntil: Notebook['read'] = async (until) => (until.aborted ? undefined : book.read(until));
    const connected: Notebook = { ...book, read: readUntil };
    const notes = await readNotes(connected, at(now), stop.signal);
    notes.add(broken);
    stop.abort('Deadline');
    expect(await notes.written(abort)).toBe(true);
    const next = await readNotes(book, at(now), abort);
    expect(['before', 'image --password=secret'].map(next.isBroken)).toEqual([true, true]);
  });

  it('without those of another shard being lost', async () => {
    const book = notebook();
    const one = await readNotes(book, at(now), abort);
    one.add(brokenNote(hashOf('one'), 'demo', now));
    await sweep(book, now, brokenNote(hashOf('two'), 'demo', now));
    await one.written(abort);
    const next = await readNotes(book, at(now), abort);
    expect([next.isBroken('one'), next.isBroken('two')]).toEqual([true, true]);
  });

  it('within 60 kB, the newest first, and a share for each namespace', async () => {
    const book = notebook();
    const loud = (index: number) => brokenNote(hashOf(`p${index}`), 'loud', now + index * 1_000);
    const many = Array.from({ length: 1_000 }, (_, index) => loud(index));
    await sweep(book, now + day, brokenNote(hashOf('quiet'), 'quiet', now - day), ...many);
    expect(book.page.text?.length).toBeLessThanOrEqual(60_000);
    expect(book.page.text?.length).toBeGreaterThan(59_800);
    const next = await readNotes(book, at(now + day), abort);
    expect(['quiet', 'p999', 'p0'].map(next.isBroken)).toEqual([true, true, false]);
  });
});

it.each([
  '',
  'v2\nbroken demo 0123456789abcdef 1795000000',
  '{"v":1}',
  'v3\nnonsense',
  'v3\n{"kind":"Broken","namespace":"demo","what":"0123456789abcdef"}',
  'v3\n{"kind":"Broken","namespace":"a b","what":"0123456789abcdef","at":1795000000000}',
  'v3\n{"kind":"Harmed","namespace":"demo","job":"work","pod":"pod","harm":"Nothing","at":1795000000000}',
])('a text that is not ours has no notes: %j', (text) => {
  expect(parseNotes(text, now)).toEqual([]);
});

it('without a notebook, or with one that fails, nothing is known and nothing fails', async () => {
  const fail = async (): Promise<never> => {
    throw new Error('out of paper');
  };
  for (const book of [undefined, { read: fail, write: fail }]) {
    const notes = await sweep(book, now, broken);
    const known = [notes.isBroken('another image'), notes.begun('term'), notes.harms, notes.unseen];
    expect(known).toEqual([false, undefined, [], []]);
    expect(await notes.written(abort)).toBe(false);
  }
});
