import type { Command } from 'commander';
import { price } from './values.ts';

export interface PriceFlags {
  readonly cpuHour?: number;
  readonly gibHour?: number;
}

/** What waste is counted with; the currency is the reader's. */
export function addPriceFlags(command: Command): Command {
  return command
    .option('--cpu-hour <price>', 'what a core costs in an hour, in any currency', price)
    .option('--gib-hour <price>', 'what a GiB of memory costs in an hour', price);
}
