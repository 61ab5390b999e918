import pLimit from 'p-limit';
import type { Slots } from '../ports.ts';

export type { Slots };

/** The bound on requests in flight: one slot, one request (or a read and the act that relies on it). */
export function createSlots(concurrency: number): Slots {
  const limit = pLimit(concurrency);
  return (work) => limit(work);
}
