import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../ports.ts';

/** Wall-clock time that never jumps: it goes on from the start of the process by the monotonic clock. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  async sleep(time, signal) {
    await delay(Math.max(0, time), undefined, { signal }).catch(() => undefined);
  },
};
