import type { MalformedPod, PodView, Shard } from '../vocabulary.ts';

/**
 * Which of so many shards a pod belongs to: FNV-1a (32 bits) of its uid. The same in every sweep and every
 * version, so that shards that run at different times still share the pods out among them.
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
}

/** What of a list is this shard's to sweep, and how many pods are not. Without shards everything is. */
export function takeShard(
  { pods, malformed }: Listed,
  shard: Shard | undefined,
): Listed & { readonly otherShards: number } {
  if (!shard) return { pods, malformed, otherShards: 0 };
  const isOurs = (key: string) => shardOf(key, shard.of) === shard.index;
  const ourPods = pods.filter(({ ref }) => isOurs(ref.uid));
  // What is no pod may lack a uid, and is still told of by one shard alone.
  const ourMalformed = malformed.filter(({ namespace, name }) => isOurs(`${namespace}/${name}`));
  const otherShards = pods.length - ourPods.length + malformed.length - ourMalformed.length;
  return { pods: ourPods, malformed: ourMalformed, otherShards };
}
