import { describe, expect, it } from 'vitest';
import { Allowance } from '../../../../src/apply/guard/allowance.ts';

const { signal: noStop } = new AbortController();

/** What the callers have been told by now. */
function soFar(asked: readonly Promise<string>[]): Promise<readonly string[]> {
  const later = new Promise<string>((resolve) => setImmediate(resolve, 'waits'));
  return Promise.all(asked.map((one) => Promise.race([one, later])));
}

/** Pods by their uid, in a namespace of their own each unless told otherwise. */
const podsOf = (uids: string, namespace?: string) =>
  [...uids].map((uid) => ({ uid, namespace: namespace ?? `of-${uid}` }));

/** Has these pods ask one after the other. */
const take = (allowance: Allowance, pods: ReturnType<typeof podsOf>, stop = noStop) =>
  pods.map((pod) => allowance.take(pod, stop));

function give(allowance: Allowance, pods: ReturnType<typeof podsOf>, hasCost: boolean): void {
  for (const pod of pods) allowance.give(pod, hasCost);
}

describe('of one image', () => {
  it('three pods try at a time, and the next when one of them has cost nothing', async () => {
    const allowance = new Allowance();
    const asked = take(allowance, podsOf('abcde'));
    expect(await soFar(asked)).toEqual(['Go', 'Go', 'Go', 'waits', 'waits']);
    give(allowance, podsOf('b'), false);
    expect(await soFar(asked)).toEqual(['Go', 'Go', 'Go', 'Go', 'waits']);
  });

  it('nobody tries once three pods have cost something', async () => {
    const allowance = new Allowance();
    const asked = take(allowance, podsOf('abcd'));
    give(allowance, podsOf('abc'), true);
    expect(await soFar(asked)).toEqual(['Go', 'Go', 'Go', 'ManyEndedUnclean']);
    expect(await soFar(take(allowance, podsOf('e')))).toEqual(['ManyEndedUnclean']);
  });

  it('two that have cost something leave room for one at a time', async () => {
    const allowance = new Allowance();
    await Promise.all(take(allowance, podsOf('ab')));
    give(allowance, podsOf('ab'), true);
    expect(await soFar(take(allowance, podsOf('cd')))).toEqual(['Go', 'waits']);
  });

  it('a pod that has cost something, or is trying, may go on', async () => {
    const allowance = new Allowance();
    await Promise.all(take(allowance, podsOf('abc')));
    expect(await soFar(take(allowance, podsOf('a')))).toEqual(['Go']);
    give(allowance, podsOf('abc'), true);
    expect(await soFar(take(allowance, podsOf('a')))).toEqual(['Go']);
  });

  it('nobody waits once the sweep stops', async () => {
    const stopping = new AbortController();
    const allowance = new Allowance();
    const asked = take(allowance, podsOf('abcd'), stopping.signal);
    expect(await soFar(asked)).toEqual(['Go', 'Go', 'Go', 'waits']);
    stopping.abort();
    const late = take(allowance, podsOf('e'), stopping.signal);
    expect(await soFar([...asked, ...late])).toEqual(Array(5).fill('Go'));
  });
});

describe('of one image in one namespace', () => {
  /** An allowance for pods of several namespaces. */
  function shared(): Allowance {
    const allowance = new Allowance();
    for (const namespace of ['one', 'of-d', 'of-e']) allowance.expect(namespace);
    return allowance;
  }

  it('two pods try at a time, and leave room for one of another', async () => {
    const allowance = shared();
    const asked = take(allowance, podsOf('abc', 'one'));
    expect(await soFar([...asked, ...take(allowance, podsOf('d'))])).toEqual(['Go', 'Go', 'waits', 'Go']);
    give(allowance, podsOf('a', 'one'), false);
    expect(await soFar(asked)).toEqual(['Go', 'Go', 'Go']);
  });

  it('nobody tries once two pods have cost something, and one of another still may', async () => {
    const allowance = shared();
    const asked = take(allowance, podsOf('abc', 'one'));
    give(allowance, podsOf('ab', 'one'), true);
    expect(await soFar(asked)).toEqual(['Go', 'Go', 'ManyEndedUnclean']);
    expect(await soFar(take(allowance, podsOf('de')))).toEqual(['Go', 'waits']);
  });

  it('three pods try if there is no other namespace to leave room for', async () => {
    const allowance = new Allowance();
    allowance.expect('one');
    allowance.expect('one');
    expect(await soFar(take(allowance, podsOf('abcd', 'one')))).toEqual(['Go', 'Go', 'Go', 'waits']);
  });
});
