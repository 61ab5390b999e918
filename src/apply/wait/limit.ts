import type { Clock, Millis } from '../../util/time.ts';
import type { Poller } from './poller.ts';

/** How long a sweep may still wait for one pod, so that no pod makes a sweep last until its deadline. */
export interface WaitLimit {
  /** Whether so long a wait would not be cut. */
  allows(time: Millis): boolean;
  /** As much of a wait as is allowed. */
  cut(time: Millis): Millis;
}

/** What was sent last gets this long to show, and so does the phase after the last end. */
const shortestWait: Millis = 10_000;

export const withoutLimit: WaitLimit = { allows: () => true, cut: (time) => time };

/** The same clock and poller, whose waits for a pod last no longer than this together. Those side by side count once. */
export function limitWaits<T extends { readonly clock: Clock; readonly poller: Poller }>(
  context: T,
  most: Millis,
): T & { readonly limit: WaitLimit } {
  const { clock, poller } = context;
  let spent: Millis = 0;
  let waiting = 0;
  let since: Millis = 0;
  const cut = (time: Millis) => {
    const left = most - spent - (waiting > 0 ? clock.now() - since : 0);
    return Math.min(time, Math.max(left, shortestWait));
  };
  async function counted<R>(wait: () => Promise<R>): Promise<R> {
    if (waiting++ === 0) since = clock.now();
    try {
      return await wait();
    } finally {
      if (--waiting === 0) spent += clock.now() - since;
    }
  }
  return {
    ...context,
    clock: {
      ...clock,
      now: () => clock.now(),
      sleep: (time, abort) => counted(() => clock.sleep(time, abort)),
    },
    poller: {
      until: (pod, isEnough, timeout, earliest) =>
        counted(() => poller.until(pod, isEnough, cut(timeout), earliest)),
    },
    limit: { allows: (time) => cut(time) === time, cut },
  };
}
