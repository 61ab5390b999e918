import type { Millis } from '../duration.ts';
import type { Clock } from '../ports.ts';

/** Aborts the work when the time is over. */
export async function within<T>(
  time: Millis,
  clock: Clock,
  work: (abort: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  void clock.sleep(time, done.signal).then(() => late.abort());
  try {
    return await work(late.signal);
  } finally {
    done.abort();
  }
}
