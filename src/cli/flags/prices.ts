import type { Command } from 'commander';
import { groups } from '../help.ts';
import { price } from './values.ts';

export interface PriceFlags {
  readonly cpuHour?: number;
  readonly gibHour?: number;
}

/** What waste is counted with; the currency is the reader's. */
export function addPriceFlags(command: Command): Command {
  return command
    .optionsGroup(groups.output)
    .option('--cpu-hour <price>', 'count an hour of a core at this price, in any currency', price)
    .option('--gib-hour <price>', 'count an hour of a GiB of memory at this price', price);
}
