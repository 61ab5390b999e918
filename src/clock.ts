import { longestTimer } from './duration.ts';
import { wokenBy } from './on-abort.ts';
import type { Clock } from './ports.ts';

/** The time at which the process started, advanced by the monotonic clock, so that it never jumps. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  timeOfDay: () => Date.now(),
  async sleep(time, abort) {
    let timer: NodeJS.Timeout | undefined;
    await wokenBy(abort, (wake) => {
      timer = setTimeout(wake, Math.min(Math.max(0, time), longestTimer));
    });
    clearTimeout(timer);
  },
};
