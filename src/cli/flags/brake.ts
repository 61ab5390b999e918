import { type Command, Option } from 'commander';
import { defaults } from '../../defaults.ts';
import { wholeNumber } from './values.ts';

/** How many pods a sweep may act on. */
export interface BrakeFlags {
  readonly maxPods?: number;
  readonly maxShare?: number;
}

export function addBrakeFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--max-pods <number>',
        `send nothing if the plan is for more pods than this (default: ${defaults.maxPods})`,
      ).argParser(wholeNumber(0, 1_000_000)),
    )
    .addOption(
      new Option(
        '--max-share <percent>',
        `send nothing if the plan is for 20 pods or more, and for more than this share of the pods listed (default: ${defaults.maxShare})`,
      ).argParser(wholeNumber(0, 100)),
    );
}
