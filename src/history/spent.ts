import type { Millis } from '../duration.ts';
import type { Resources } from '../model/pod.ts';
import type { Usage } from '../report/history/schema.ts';

/** Cores and bytes, multiplied by milliseconds. */
export type Spent = Resources;

export const nothing: Spent = { cpu: 0, memory: 0 };

const hour: Millis = 3_600_000;
const gib = 1024 ** 3;
/** Machines for general purposes have about 4 GiB for each core. */
const gibOfCore = 4;

/** What is reserved for this long. */
export function spend({ cpu, memory }: Resources, time: Millis): Spent {
  return { cpu: cpu * time, memory: memory * time };
}

export function add(a: Spent, b: Spent): Spent {
  return { cpu: a.cpu + b.cpu, memory: a.memory + b.memory };
}

export function toUsage({ cpu, memory }: Spent): Usage {
  return { cpuHours: rounded(cpu / hour), gibHours: rounded(memory / gib / hour) };
}

/** By which waste is compared, in cores. */
export function weigh({ cpuHours, gibHours }: Usage): number {
  return cpuHours + gibHours / gibOfCore;
}

/** To millionths: the last digits of a sum are noise. */
function rounded(value: number): number {
  return Number(value.toFixed(6));
}
