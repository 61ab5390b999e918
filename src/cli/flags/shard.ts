import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Shard } from '../../model/scope.ts';
import { groups } from '../help.ts';
import { wholeNumber } from './values.ts';

/** Which part of the pods this sweep works on. */
export interface ShardFlags {
  readonly shard?: Shard;
  readonly shards?: number;
}

const mostShards = 1000;

export function addShardFlags(command: Command): Command {
  return command
    .optionsGroup(groups.scope)
    .addOption(
      new Option('--shard <i/n>', 'sweep only part i of n, counted from 0')
        .argParser(parseShard)
        .conflicts('shards'),
    )
    .option(
      '--shards <n>',
      'sweep only part JOB_COMPLETION_INDEX of n, in an Indexed Job',
      wholeNumber(1, mostShards),
    );
}

function parseShard(value: string): Shard {
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(value)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index >= of || of > mostShards) {
    throw new InvalidArgumentError(
      `Use i/n with i from 0 to n-1, such as 0/3, 1/3 and 2/3; n is at most ${mostShards}.`,
    );
  }
  return { index, of };
}
