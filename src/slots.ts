import pLimit from 'p-limit';
import type { Slots } from './ports.ts';

export interface MeasuredSlots extends Slots {
  /** The most that were occupied at once. */
  most(): number;
}

/** Limits the requests in flight. A slot holds one request, or a read and the write that relies on it. */
export function createSlots(concurrency: number): MeasuredSlots {
  const limit = pLimit(concurrency);
  let most = 0;
  const slots = <T>(work: () => Promise<T>) =>
    limit(() => {
      most = Math.max(most, limit.activeCount);
      return work();
    });
  return Object.assign(slots, { most: () => most });
}
