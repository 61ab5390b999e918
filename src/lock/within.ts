import type { Millis } from '../duration.ts';
import { onAbort } from '../on-abort.ts';
import type { Clock } from '../ports.ts';

/** A sweep that was stopped has its report to write: what is not answered by then is left, and the lease runs out by itself. */
const timeAfterStop: Millis = 1_000;

/** Aborts the work when the time is over, or soon after the sweep was stopped. */
export async function within<T>(
  time: Millis,
  { clock, stop }: { readonly clock: Clock; readonly stop: AbortSignal },
  work: (abort: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  const abortAfter = (left: Millis) => void clock.sleep(left, done.signal).then(() => late.abort());
  abortAfter(time);
  const leave = onAbort(stop, () => abortAfter(timeAfterStop));
  try {
    return await work(late.signal);
  } finally {
    leave();
    done.abort();
  }
}
