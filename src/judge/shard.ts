import type { MalformedPod, PodRef, PodView } from '../model/pod.ts';
import type { Shard } from '../model/scope.ts';

/**
 * The shard that a uid belongs to, by its 32-bit FNV-1a hash. It must stay the same in every version, so that every pod
 * belongs to exactly one shard even if shards are swept at different times.
 */
export function shardOf(uid: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < uid.length; index++) {
    hash = Math.imul(hash ^ uid.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % shards;
}

interface Listed {
  readonly pods: readonly PodView[];
  readonly malformed: readonly MalformedPod[];
  readonly atWork?: readonly PodRef[];
}

/** The part of a list that belongs to this shard, and how many items do not. Without shards, all do. */
export function takeShard(
  { pods, malformed, atWork = [] }: Listed,
  shard: Shard | undefined,
): Required<Listed> & { readonly otherShards: number } {
  if (!shard) return { pods, malformed, atWork, otherShards: 0 };
  const isOurs = (key: string) => shardOf(key, shard.of) === shard.index;
  // All pods of one owner: each of them counts against the retries of the same Job.
  const ourPods = pods.filter(({ ref, owner }) => isOurs(owner?.uid ?? ref.uid));
  // Malformed items may lack a uid, and only one shard must report each.
  const ourMalformed = malformed.filter(({ namespace, name }) => isOurs(`${namespace}/${name}`));
  const ourAtWork = atWork.filter(({ uid }) => isOurs(uid));
  const all = pods.length + malformed.length + atWork.length;
  const otherShards = all - ourPods.length - ourMalformed.length - ourAtWork.length;
  return { pods: ourPods, malformed: ourMalformed, atWork: ourAtWork, otherShards };
}
