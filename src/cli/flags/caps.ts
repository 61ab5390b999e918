import type { Command } from 'commander';
import { groups } from '../help.ts';
import { wholeNumber } from './values.ts';

/** How many pods a sweep acts on at most; it leaves the others for the next one. */
export interface CapFlags {
  readonly maxPods?: number;
  readonly maxPodsPerNamespace?: number;
  readonly maxPodsPerNode?: number;
}

const number = wholeNumber(1, 1_000_000);

export function addCapFlags(command: Command): Command {
  return command
    .optionsGroup(groups.safety)
    .option('--max-pods <number>', 'act on no more pods than this; the next sweep takes the others', number)
    .option('--max-pods-per-namespace <number>', 'the same for the pods of each namespace', number)
    .option('--max-pods-per-node <number>', 'the same for the pods on each node', number);
}
