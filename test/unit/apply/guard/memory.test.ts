import { describe, expect, it } from 'vitest';
import { createMemory, parseNotes } from '../../../../src/apply/guard/memory.ts';
import type { Notebook } from '../../../../src/model/ports.ts';
import type { Clock } from '../../../../src/util/time.ts';
import { now } from '../../../builders/pod-view.ts';

const day = 24 * 3_600_000;
const { signal: abort } = new AbortController();

function at(time: number): Clock {
  return { now: () => time, sleep: async () => undefined };
}

/** A notebook in memory; another writer gets in before the first writes as often as told. */
function notebook({ conflicts = 0, text = undefined as string | undefined } = {}) {
  const page = { text, version: 1, writes: 0 };
  const book: Notebook = {
    read: async () =>
      page.text === undefined ? undefined : { text: page.text, version: String(page.version) },
    async write(next, version) {
      page.writes++;
      if (page.writes <= conflicts) {
        page.version++;
        return 'Conflict';
      }
      if (version !== undefined && version !== String(page.version)) return 'Conflict';
      page.text = next;
      page.version++;
      return 'Written';
    },
  };
  return { book, page };
}

describe('a step that was begun', () => {
  const begun = { at: now, due: now + 3_600_000 };

  it('is noted with the others when the sweep settles, in one write, and known to the next sweep', async () => {
    const { book, page } = notebook();
    const memory = createMemory(book, at(now), abort);
    memory.begin('term', begun);
    memory.begin('quit', { at: now - 1_000, due: now });
    expect(page.writes).toBe(0);
    await memory.settled();
    await memory.settled();
    expect(page.writes).toBe(1);
    const next = createMemory(book, at(now + 300_000), abort);
    expect(await next.begun('term')).toEqual(begun);
    expect(await next.begun('kill')).toBeUndefined();
    expect(await next.knows('image')).toBe(false);
  });

  it('is forgotten a day after its time', async () => {
    const { book } = notebook();
    const memory = createMemory(book, at(now), abort);
    memory.begin('term', begun);
    await memory.settled();
    expect(await createMemory(book, at(begun.due + 0.9 * day), abort).begun('term')).toEqual(begun);
    expect(await createMemory(book, at(begun.due + day), abort).begun('term')).toBeUndefined();
  });

  it('does not push out what was learnt, nor is pushed out by it', async () => {
    const { book, page } = notebook();
    const memory = createMemory(book, at(now), abort);
    memory.note('image');
    for (let each = 0; each < 300; each++) memory.begin(`term ${each}`, { ...begun, at: now + each * 1_000 });
    await memory.settled();
    const next = createMemory(book, at(now), abort);
    expect(await next.knows('image')).toBe(true);
    expect(await next.begun('term 99')).toBeUndefined();
    expect(await next.begun('term 100')).toBeDefined();
    expect(page.text?.length).toBeLessThan(12_000);
  });

  it('is unknown without a notebook', async () => {
    const memory = createMemory(undefined, at(now), abort);
    memory.begin('term', begun);
    await memory.settled();
    expect(await memory.begun('term')).toBeUndefined();
  });
});

describe('a note', () => {
  it('is known to the next sweep, in a text that does not show what was noted', async () => {
    const { book, page } = notebook();
    const memory = createMemory(book, at(now), abort);
    memory.note('image --password=secret');
    memory.note('other');
    await memory.settled();
    expect(page.text?.split('\n')).toEqual([
      'v1',
      expect.stringMatching(/^[0-9a-f]{16} \d+$/),
      expect.stringMatching(/^[0-9a-f]{16} \d+$/),
    ]);
    const next = createMemory(book, at(now + day), abort);
    expect(await next.knows('image --password=secret')).toBe(true);
    expect(await next.knows('image')).toBe(false);
  });

  it('is forgotten after 30 days', async () => {
    const { book } = notebook();
    const memory = createMemory(book, at(now), abort);
    memory.note('image');
    await memory.settled();
    expect(await createMemory(book, at(now + 29 * day), abort).knows('image')).toBe(true);
    expect(await createMemory(book, at(now + 31 * day), abort).knows('image')).toBe(false);
  });

  it('is made once, and again if another shard was faster', async () => {
    const { book, page } = notebook({ conflicts: 2 });
    const memory = createMemory(book, at(now), abort);
    memory.note('image');
    memory.note('image');
    await memory.settled();
    expect(page.text?.split('\n')).toHaveLength(2);
    expect(page.writes).toBe(4);
  });

  it('is given up if others are always faster', async () => {
    const { book, page } = notebook({ conflicts: 99 });
    const memory = createMemory(book, at(now), abort);
    memory.note('image');
    await memory.settled();
    expect(page.writes).toBe(5);
  });

  it('is dropped for newer ones beyond 200', async () => {
    const { book, page } = notebook();
    for (let number = 0; number <= 200; number++) {
      const memory = createMemory(book, at(now + number * 1_000), abort);
      memory.note(`image-${number}`);
      await memory.settled();
    }
    expect(page.text?.split('\n')).toHaveLength(201);
    const memory = createMemory(book, at(now + day), abort);
    expect([await memory.knows('image-0'), await memory.knows('image-1')]).toEqual([false, true]);
  });
});

it.each(['', 'v2\n0123456789abcdef 1', '{"v":1}', 'v1\nnonsense', 'v1\n0123456789abcdef'])(
  'a text that is not ours has no notes: %j',
  (text) => {
    expect(parseNotes(text, now)).toEqual([]);
  },
);

it('without a notebook, or with one that fails, nothing is known and nothing fails', async () => {
  const without = createMemory(undefined, at(now), abort);
  without.note('image');
  await without.settled();
  expect(await without.knows('image')).toBe(false);
  const fail = async (): Promise<never> => {
    throw new Error('out of paper');
  };
  const failing = createMemory({ read: fail, write: fail }, at(now), abort);
  failing.note('image');
  await failing.settled();
  expect(await failing.knows('image')).toBe(false);
});
