import pLimit from 'p-limit';
import type { Slots } from './ports.ts';

/** Limits the requests in flight. A slot holds one request, or a read and the write that relies on it. */
export function createSlots(concurrency: number): Slots {
  const limit = pLimit(concurrency);
  return (work) => limit(work);
}
