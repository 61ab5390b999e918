import { type Command, Option } from 'commander';
import { defaults } from '../../policy/defaults.ts';
import { groups } from '../help.ts';
import { wholeNumber } from './values.ts';

/** For how many pods a plan is too wide to be right. */
export interface BrakeFlags {
  readonly brakePods?: number;
  readonly brakeShare?: number;
}

export function addBrakeFlags(command: Command): Command {
  return command
    .optionsGroup(groups.safety)
    .addOption(
      new Option(
        '--brake-pods <number>',
        `send nothing if the sweep would act on more pods than this (default: ${defaults.brakePods}, or --max-pods if that is more)`,
      ).argParser(wholeNumber(0, 1_000_000)),
    )
    .addOption(
      new Option(
        '--brake-share <percent>',
        `send nothing if the plan is for 20 pods or more, and for more than this share of the pods listed (default: ${defaults.brakeShare})`,
      ).argParser(wholeNumber(0, 100)),
    );
}
