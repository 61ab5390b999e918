import pLimit from 'p-limit';

/** Runs work when one of a bounded number of slots is free. Work that waits for a cluster to change holds none. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

/** The bound on requests in flight: one slot, one request (or a read and the act that relies on it). */
export function createSlots(concurrency: number): Slots {
  const limit = pLimit(concurrency);
  return (work) => limit(work);
}
