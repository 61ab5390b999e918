import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PodView } from '../../../src/model/pod.ts';
import {
  isLabelSelector,
  matchesLabels,
  namespaceName,
  shardOf,
  takeShard,
} from '../../../src/model/scope.ts';
import { podView } from '../../builders/pod-view.ts';
import { podRef } from '../../builders/report.ts';

it.each(['a', '0', 'kube-system', 'a'.repeat(63)])('%s is the name of a namespace', (name) => {
  expect(name).toMatch(namespaceName);
});

it.each(['', '.', '..', 'a.b', 'a/b', 'A', '-a', 'a-', 'kube-*', 'a\n', 'a b', 'ä', 'a'.repeat(64)])(
  '%j is not',
  (name) => {
    expect(name).not.toMatch(namespaceName);
  },
);

const longest = 'x'.repeat(63);

// Each was parsed by Kubernetes' own labels.Parse: kubectl drain --pod-selector.
it.each([
  ...['', ' ', 'app', '!app', '! app', 'app=report', ' app = report ', 'app==report', 'app!=report'],
  ...['app=', 'app=,tier', 'app=x,tier!=y,!canary', 'app.kubernetes.io/name=report', 'replicas>5'],
  ...['replicas < 5', 'app in (a)', 'app in ()', 'app in (a, b)', 'app in(a,b)'],
  ...['app notin (a,b),tier=x', 'app in (,a)', 'app in (a,)', 'in in (in,notin)', 'app=in'],
  ...[`${longest}=${longest}`],
])('%j can be parsed', (selector) => {
  expect(isLabelSelector(selector)).toBe(true);
});

it.each([
  ...['a b', 'app=report,', ',app', 'app,,tier', 'app===report', 'app=!report', 'app=a b', '!!app'],
  ...['!app=report', '=report', 'app in', 'app in a', 'app in (a', 'app in (a b)', 'app in (a=b)'],
  ...['appin (a)', 'app = (a)', 'app>x', 'app>', 'app=-x', 'app=x_', 'a/b/c=d', '/app'],
  ...['Example.com/app', 'app:report', 'app=räport', 'app\u00a0=report', `${longest}x`],
  ...[`app=${longest}x`],
])('%j cannot', (selector) => {
  expect(isLabelSelector(selector)).toBe(false);
});

const labels = { app: 'report', 'team.io/name': 'a', empty: '', in: 'x' };

describe('labels match', () => {
  it.each([
    ...['app', '!missing', '! missing', 'app=report', 'app==report', 'app = report', 'app!=other'],
    ...['missing!=report', 'empty=', 'in=x', 'in in (x)', 'app in (report, other)', 'app in(report)'],
    ...['app notin (other)', 'missing notin (report)', 'app=report,team.io/name in (a,b),!missing', ''],
  ])('%s', (selector) => {
    expect(matchesLabels(selector, labels)).toBe(true);
  });

  it.each(['app>1', 'app<1', 'what is this', '((', '__proto__'])('%s, left to the server', (selector) => {
    expect(matchesLabels(selector, labels)).toBe(true);
  });
});

it.each([
  ...['missing', '!app', 'app=other', 'app==other', 'app=', 'missing=', 'app!=report'],
  ...['app in (other,another)', 'missing in (a)', 'missing in ()', 'app notin (other, report)'],
  ...['app=report,team.io/name notin (a,b)', 'team.io/name in (b,c),app', 'toString', 'constructor'],
])('labels do not match %s', (selector) => {
  expect(matchesLabels(selector, labels)).toBe(false);
});

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
        const listed = { pods, malformed, atWork: [] };
        const shares = Array.from({ length: of }, (_, index) => takeShard(listed, { index, of }));
        const sorted = uids.toSorted();
        expect(shares.flatMap((share) => share.pods.map(({ ref }) => ref.uid)).sort()).toEqual(sorted);
        expect(shares.flatMap((share) => share.malformed.map(({ name }) => name)).sort()).toEqual(sorted);
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
        (_, index) => takeShard({ pods, malformed: [], atWork: [] }, { index, of: 8 }).pods.length,
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
});
