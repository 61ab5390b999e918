import type { Candidate } from '../model/verdict.ts';
import type { Millis } from '../util/time.ts';

/** Machines for general purposes have about 4 GiB for each core. */
const memoryOfCore = 4 * 1024 ** 3;
/** In cores. Even without requests, a pod takes one of its node's places and an address. */
const leastShare = 0.01;

/** What a stuck pod has kept from others so far: the time since its last main ended, times what its node reserves for it. */
export function wasteOf({ pod, mainsEndedAt }: Candidate, asOf: Millis | undefined): number {
  const { cpu, memory } = pod.requests;
  const stuckFor = Math.max((asOf ?? mainsEndedAt) - mainsEndedAt, 0);
  return stuckFor * Math.max(cpu + memory / memoryOfCore, leastShare);
}
