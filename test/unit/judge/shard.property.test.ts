import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shardOf, takeShard } from '../../../src/judge/shard.ts';
import type { PodView } from '../../../src/model/pod.ts';
import { podView } from '../../builders/pod-view.ts';
import { podRef } from '../../builders/report.ts';

function pod(number: number, uid: string): PodView {
  return podView({ ref: { ...podRef(number), uid } });
}

describe('shards', () => {
  it('partition the pods: every pod belongs to exactly one shard', () => {
    const uids = fc.uniqueArray(fc.oneof(fc.uuid(), fc.string()), { maxLength: 50 });
    fc.assert(
      fc.property(uids, fc.integer({ min: 1, max: 40 }), (uids, of) => {
        const pods = uids.map((uid, number) => pod(number, uid));
        const malformed = uids.map((name) => ({ namespace: 'demo', name, problem: 'no containers' }));
        const shares = Array.from({ length: of }, (_, index) =>
          takeShard({ pods, malformed }, { index, of }),
        );
        expect(shares.flatMap((share) => share.pods.map(({ ref }) => ref.uid)).sort()).toEqual(
          [...uids].sort(),
        );
        expect(shares.flatMap((share) => share.malformed.map(({ name }) => name)).sort()).toEqual(
          [...uids].sort(),
        );
        for (const share of shares) {
          expect(share.pods.length + share.malformed.length + share.otherShards).toBe(2 * uids.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('have all pods of one owner in one of them, and pods without an owner by their own uid', () => {
    const shares = (owner: PodView['owner']) => {
      const pods = Array.from({ length: 200 }, (_, number) => ({ ...pod(number, `uid-${number}`), owner }));
      const sizes = Array.from(
        { length: 8 },
        (_, index) => takeShard({ pods, malformed: [] }, { index, of: 8 }).pods.length,
      );
      return sizes.filter((size) => size > 0);
    };
    expect(shares({ group: 'batch', kind: 'Job', name: 'work', uid: 'job' })).toEqual([200]);
    expect(shares(undefined)).toHaveLength(8);
  });

  it('are about equal in size', () => {
    const uids = fc.sample(fc.uuid(), { numRuns: 10_000, seed: 1 });
    const sizes = Array.from(
      { length: 10 },
      (_, index) => uids.filter((uid) => shardOf(uid, 10) === index).length,
    );
    expect(Math.min(...sizes)).toBeGreaterThan(850);
    expect(Math.max(...sizes)).toBeLessThan(1_150);
  });

  it('do not change between versions, so that a partial upgrade loses no pod', () => {
    // FNV-1a's published test vectors: 'a' is 0xe40c292c, 'foobar' 0xbf9cf968.
    expect(shardOf('a', 2 ** 32)).toBe(0xe40c292c);
    expect(shardOf('foobar', 2 ** 32)).toBe(0xbf9cf968);
    expect(shardOf('', 2 ** 32)).toBe(0x811c9dc5);
  });

  it('are off by default', () => {
    const listed = { pods: [pod(1, 'a')], malformed: [], atWork: [] };
    expect(takeShard(listed, undefined)).toEqual({ ...listed, otherShards: 0 });
  });
});
