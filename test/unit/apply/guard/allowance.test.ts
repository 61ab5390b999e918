import { describe, expect, it } from 'vitest';
import { Allowance } from '../../../../src/apply/guard/allowance.ts';

const { signal: noStop } = new AbortController();

/** What the callers have been told by now. */
function soFar(asked: readonly Promise<string>[]): Promise<readonly string[]> {
  const later = new Promise<string>((resolve) => setImmediate(resolve, 'waits'));
  return Promise.all(asked.map((one) => Promise.race([one, later])));
}

describe('of one image', () => {
  it('three pods try at a time, and the next when one of them has cost nothing', async () => {
    const allowance = new Allowance();
    const asked = ['a', 'b', 'c', 'd', 'e'].map((uid) => allowance.take(uid, noStop));
    expect(await soFar(asked)).toEqual(['Go', 'Go', 'Go', 'waits', 'waits']);
    allowance.give('b', false);
    expect(await soFar(asked)).toEqual(['Go', 'Go', 'Go', 'Go', 'waits']);
  });

  it('nobody tries once three pods have cost something', async () => {
    const allowance = new Allowance();
    const asked = ['a', 'b', 'c', 'd'].map((uid) => allowance.take(uid, noStop));
    for (const uid of ['a', 'b', 'c']) allowance.give(uid, true);
    expect(await soFar(asked)).toEqual(['Go', 'Go', 'Go', 'ManyEndedUnclean']);
    expect(await allowance.take('e', noStop)).toBe('ManyEndedUnclean');
  });

  it('two that have cost something leave room for one at a time', async () => {
    const allowance = new Allowance();
    await Promise.all(['a', 'b'].map((uid) => allowance.take(uid, noStop)));
    for (const uid of ['a', 'b']) allowance.give(uid, true);
    expect(await soFar(['c', 'd'].map((uid) => allowance.take(uid, noStop)))).toEqual(['Go', 'waits']);
  });

  it('a pod that has cost something, or is trying, may go on', async () => {
    const allowance = new Allowance();
    await Promise.all(['a', 'b', 'c'].map((uid) => allowance.take(uid, noStop)));
    expect(await allowance.take('a', noStop)).toBe('Go');
    for (const uid of ['a', 'b', 'c']) allowance.give(uid, true);
    expect(await allowance.take('a', noStop)).toBe('Go');
  });

  it('nobody waits once the sweep stops', async () => {
    const stopping = new AbortController();
    const allowance = new Allowance();
    const asked = ['a', 'b', 'c', 'd'].map((uid) => allowance.take(uid, stopping.signal));
    expect(await soFar(asked)).toEqual(['Go', 'Go', 'Go', 'waits']);
    stopping.abort();
    expect(await soFar([...asked, allowance.take('e', stopping.signal)])).toEqual(Array(5).fill('Go'));
  });
});
