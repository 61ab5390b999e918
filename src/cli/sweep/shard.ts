import type { Shard } from '../../model/scope.ts';
import { UsageError } from '../../util/usage-error.ts';
import type { ShardFlags } from '../flags/shard.ts';
import type { Surroundings } from '../surroundings.ts';

/** The shard of this process. Throws UsageError if it is unknown. */
export function chooseShard({ shard, shards }: ShardFlags, env: Surroundings['env']): Shard | undefined {
  if (shards === undefined) return shard;
  const index = env['JOB_COMPLETION_INDEX'];
  if (index === undefined) {
    throw new UsageError(
      `--shards ${shards} needs JOB_COMPLETION_INDEX, which is set only in the pods of an Indexed Job; elsewhere, use --shard i/${shards}`,
    );
  }
  if (!/^\d+$/.test(index) || Number(index) >= shards) {
    throw new UsageError(
      `JOB_COMPLETION_INDEX is "${index}", but the parts are 0 to ${shards - 1}: set --shards to the Job's completions`,
    );
  }
  return { index: Number(index), of: shards };
}
