import { Duration, Settings } from 'luxon';
import { onAbort, wokenBy } from './concurrency.ts';

/** The local clock. Ages of pods are never judged by it, only by the server's. */
export interface Clock {
  now(): Millis;
  /** Continues while the machine sleeps, and may be set; missing if it is the same. */
  timeOfDay?(): Millis;
  sleep(time: Millis, abort: AbortSignal): Promise<void>;
}

// No text depends on the locale, and asking the system for it takes 45 ms of every start.
Settings.defaultLocale = 'en-US';

/** How far the server's clock is ahead of the local one, by what it says just now; 0 if it has said nothing. */
export function aheadBy(asOf: Millis | undefined, clock: Clock): Millis {
  return asOf === undefined ? 0 : asOf - clock.now();
}

/** A time since the epoch, or a duration, in milliseconds. */
export type Millis = number;

/** The longest time that Node's timers support; longer ones fire at once. */
export const longestTimer: Millis = 2 ** 31 - 1;

const units = { w: 'weeks', d: 'days', h: 'hours', m: 'minutes', s: 'seconds', ms: 'milliseconds' } as const;
const part = /(\d+(?:\.\d+)?)(ms|[wdhms])/g;

/** Parses `90s`, `5m`, `1h30m`, `2d` (the units of kubectl and kube-janitor); undefined for anything else. */
export function parseDuration(text: string): Millis | undefined {
  if (text === '0') return 0;
  if (text.length > 32 || !/^(?:\d+(?:\.\d+)?(?:ms|[wdhms]))+$/.test(text)) return undefined;
  let duration = Duration.fromMillis(0);
  for (const [, amount, unit] of text.matchAll(part)) {
    duration = duration.plus({ [units[unit as keyof typeof units]]: Number(amount) });
  }
  const milliseconds = duration.toMillis();
  return Number.isSafeInteger(Math.round(milliseconds)) ? Math.round(milliseconds) : undefined;
}

/** A duration in its two largest units: `5m`, `1h30m`, `12.5s`. */
export function formatDuration(time: Millis): string {
  if (time < 59_950) return `${Number((time / 1000).toFixed(1))}s`;
  const { days, hours, minutes, seconds } = Duration.fromMillis(Math.round(time / 1000) * 1000)
    .shiftTo('days', 'hours', 'minutes', 'seconds')
    .toObject();
  const parts = [
    days && `${days}d`,
    hours && `${hours}h`,
    minutes && `${minutes}m`,
    seconds && `${seconds}s`,
  ];
  return parts.filter(Boolean).slice(0, 2).join('');
}

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

/** Ends work that takes too long, or that is no longer waited for; the error says which. */
export async function inTime<T>(
  time: Millis,
  late: Error,
  abort: AbortSignal,
  work: (ending: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(late), time);
  const leave = onAbort(abort, () => ending.abort(new Error('interrupted')));
  try {
    const result = await work(ending.signal);
    ending.signal.throwIfAborted();
    return result;
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    clearTimeout(timer);
    leave();
  }
}
