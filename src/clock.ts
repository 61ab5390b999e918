import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './ports.ts';

/** The time at which the process started, advanced by the monotonic clock, so that it never jumps. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  async sleep(time, abort) {
    await delay(Math.max(0, time), undefined, { signal: abort }).catch(() => undefined);
  },
};
