import { describe, expect, it } from 'vitest';
import { Leaders } from '../../../../src/apply/guard/leaders.ts';
import { Trial } from '../../../../src/apply/guard/trial.ts';

const { signal: noStop } = new AbortController();

/** Leaders of which `pod` may go first in a trial, and whether others still wait for it there. */
function announced() {
  const leaders = new Leaders();
  const trial = new Trial();
  leaders.expect('pod', 1, [trial]);
  const isAwaited = () =>
    Promise.race([
      trial.cheapest('TERM', 2, noStop).then(() => false),
      new Promise<boolean>((resolve) => setImmediate(resolve, true)),
    ]);
  return { leaders, isAwaited };
}

/** Something to wait for, and how it ends. */
function wait() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { until: () => ended, end };
}

describe('others wait for a pod that may go first', () => {
  it('until it is done', async () => {
    const { leaders, isAwaited } = announced();
    expect(await isAwaited()).toBe(true);
    leaders.forget('pod');
    expect(await isAwaited()).toBe(false);
  });

  it('but not while one of its sidecars waits to follow', async () => {
    const { leaders, isAwaited } = announced();
    const waits = [wait(), wait()] as const;
    const following = waits.map(({ until }) => leaders.whileFollowing('pod', until));
    expect(await isAwaited()).toBe(false);
    waits[0].end();
    await following[0];
    expect(await isAwaited()).toBe(false);
    waits[1].end();
    await following[1];
    expect(await isAwaited()).toBe(true);
  });

  it('and no more once it is done, even if it still waited', async () => {
    const { leaders, isAwaited } = announced();
    const { until, end } = wait();
    const following = leaders.whileFollowing('pod', until);
    leaders.forget('pod');
    end();
    await following;
    expect(await isAwaited()).toBe(false);
  });

  it('and a pod that was never announced follows as any other', async () => {
    const { leaders, isAwaited } = announced();
    await leaders.whileFollowing('another', async () => undefined);
    expect(await isAwaited()).toBe(true);
  });
});
