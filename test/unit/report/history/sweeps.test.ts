import { describe, expect, it } from 'vitest';
import { knownClusters } from '../../../../src/report/history/sweeps.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';

type OfCluster = SweepReport['cluster'];

const service = { context: 'inClusterContext', server: 'https://10.96.0.1:443' };
const one = { ...service, uid: '5f2c1a9e-8d1b-4c5e-9a77-0c1d2e3f4a5b' };
const other = { ...service, uid: 'b81d03c4-0f0e-4d7c-8b52-6d5c4b3a2f1e' };
const prod = { context: 'prod', server: 'https://prod:6443' };

function namesOf(...all: readonly OfCluster[]): readonly string[] {
  const clusterOf = knownClusters(all);
  return all.map((each) => clusterOf(each).name);
}

function areOne(a: OfCluster, b: OfCluster, ...others: readonly OfCluster[]): boolean {
  const clusterOf = knownClusters([a, b, ...others]);
  return clusterOf(a).id === clusterOf(b).id;
}

// biome-ignore format: one row a line
it.each<readonly [why: string, isOne: boolean, a: OfCluster, b: OfCluster, others: readonly OfCluster[]]>([
  ['if they have one uid, whatever the address', true, one, { ...prod, uid: one.uid }, []],
  ['not if they have two, whatever the address', false, one, other, []],
  ['if they have one server and no uid', true, prod, { ...prod, context: 'admin@prod' }, []],
  ['not if they have two servers and no uid', false, prod, { ...prod, server: 'https://b:6443' }, []],
  ['if only one of them has a uid, and the server is of that cluster alone', true, one, service, []],
  ['not if the server is of two clusters', false, one, service, [other]],
  ['if they have one name and no uid', true, { ...service, name: 'a' }, { ...prod, name: 'a' }, []],
  ['not if they have two names and no uid', false, { ...service, name: 'a' }, { ...service, name: 'b' }, []],
  ['if only one has a uid, and the name is of it alone', true, { ...one, name: 'a' }, { ...service, name: 'a' }, [other]],
  ['if one reached no server, and the context is of one alone', true, prod, { ...prod, server: '' }, [one]],
  ['not if the context is of two', false, one, { ...service, server: '' }, [other]],
])('two reports are of one cluster %s', (_why, isOne, a, b, others) => {
  expect(areOne(a, b, ...others)).toBe(isOne);
  expect(areOne(b, a, ...others)).toBe(isOne);
  expect(areOne(a, b, ...[...others].reverse())).toBe(isOne);
});

describe('a cluster goes by', () => {
  // biome-ignore format: one row a line
  it.each<readonly [what: string, names: readonly string[], all: readonly OfCluster[]]>([
    ['its context', ['prod', 'inClusterContext'], [prod, one]],
    ['what the policy calls it', ['billing', 'prod'], [{ ...one, name: 'billing' }, prod]],
    ['its context with the start of its uid, if others have the same', ['inClusterContext (5f2c1a9e)', 'inClusterContext (b81d03c4)'], [one, other]],
    ['the name that a later report gives it', ['billing', 'billing'], [one, { ...one, name: 'billing' }]],
    ['its name with its uid, if that is the context of another', ['prod (5f2c1a9e)', 'prod (https://prod:6443)'], [{ ...one, name: 'prod' }, prod]],
    ['its context with its server, if it may be either of two', ['5f2c1a9e', 'b81d03c4', 'https://10.96.0.1:443'].map((mark) => `inClusterContext (${mark})`), [one, other, service]],
    ['its context, if it could not be used', ['prod'], [{ ...prod, server: '' }]],
  ])('%s', (_what, names, all) => {
    expect(namesOf(...all)).toEqual(names);
  });
});
