import { describe, expect, it } from 'vitest';
import { limitWaits, withoutLimit } from '../../../../src/apply/wait/limit.ts';
import type { Poller } from '../../../../src/apply/wait/poller.ts';
import { now, podView } from '../../../builders/pod-view.ts';
import { clockOf } from '../../../builders/stepped-clock.ts';
import { steppedClock } from '../../../kit/emulator/index.ts';

const { signal: stop } = new AbortController();
const most = 60_000;

/** A poller whose waits are never over before their time. */
function limited() {
  const time = steppedClock(now);
  const clock = clockOf(time);
  const waited: number[] = [];
  const poller: Poller = {
    async until(_pod, _isEnough, timeout) {
      waited.push(timeout);
      await clock.sleep(timeout, stop);
      return undefined;
    },
  };
  const context = limitWaits({ clock, poller }, most);
  const wait = (timeout: number) => context.poller.until(podView().ref, () => true, timeout);
  /** Lets so much time pass while the work is done. */
  const during = async (milliseconds: number, ...work: readonly Promise<unknown>[]) => {
    await time.advance(milliseconds);
    await Promise.all(work);
  };
  return { time, context, waited, wait, during };
}

describe('the waits for a pod', () => {
  it('together last no longer than allowed, except that what was sent last gets 10 s to show', async () => {
    const { waited, wait, during } = limited();
    await during(40_000, wait(40_000));
    await during(20_000, wait(3_600_000));
    await during(10_000, wait(3_600_000));
    expect(waited).toEqual([40_000, 20_000, 10_000]);
  });

  it('count once if they are side by side', async () => {
    const { waited, wait, during } = limited();
    await during(40_000, wait(40_000), wait(40_000), wait(25_000));
    await during(20_000, wait(3_600_000));
    expect(waited.at(-1)).toBe(20_000);
  });

  it('do not count what passes between them', async () => {
    const { time, context, wait, during } = limited();
    await time.advance(500_000);
    expect(context.limit.allows(most)).toBe(true);
    await during(30_000, wait(30_000));
    await time.advance(500_000);
    expect(context.limit.cut(3_600_000)).toBe(30_000);
    expect([29_000, 30_000, 31_000].map(context.limit.allows)).toEqual([true, true, false]);
  });

  it('count the pauses before a request is made again', async () => {
    const { context, during } = limited();
    await during(30_000, context.clock.sleep(30_000, stop));
    expect(context.limit.cut(3_600_000)).toBe(30_000);
  });

  it('are as long as asked without a limit', () => {
    expect(withoutLimit.cut(3_600_000)).toBe(3_600_000);
    expect(withoutLimit.allows(3_600_000)).toBe(true);
  });
});
