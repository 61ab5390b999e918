import { describe, expect, it } from 'vitest';
import { differenceFrom, identify } from '../../../src/gather/identity.ts';
import type { NamespaceReading } from '../../../src/model/facts.ts';
import type { Cluster } from '../../../src/ports.ts';
import { createSlots } from '../../../src/slots.ts';

const { signal } = new AbortController();
const slots = createSlots(20);
const present = (uid?: string): NamespaceReading => ({
  kind: 'Present',
  annotations: {},
  ...(uid !== undefined && { uid }),
});

/** A cluster whose kube-system reads so, that notes what it is asked. */
function clusterWhere(system: NamespaceReading) {
  const asked: string[] = [];
  const cluster: Pick<Cluster, 'readNamespace' | 'listNamespaces'> = {
    async readNamespace(name) {
      asked.push(name);
      return name === 'kube-system' ? system : present('of another');
    },
    async listNamespaces() {
      asked.push('list');
      const items = [
        { name: 'demo', reading: present('of another') },
        { name: 'kube-system', reading: system },
      ];
      return { kind: 'Page', items, token: undefined };
    },
  };
  return { ...identify(cluster), asked };
}

it('a cluster has the uid of its namespace kube-system', async () => {
  const { uid, overheard, asked } = clusterWhere(present('5f2c'));
  await overheard.readNamespace('demo', signal);
  expect(await uid(slots, signal)).toBe('5f2c');
  expect(asked).toEqual(['demo', 'kube-system']);
});

it('what is listed or read anyway is not read again', async () => {
  const listed = clusterWhere(present('5f2c'));
  await listed.overheard.listNamespaces(undefined, undefined, signal);
  expect(await listed.uid(slots, signal)).toBe('5f2c');
  expect(listed.asked).toEqual(['list']);
  const read = clusterWhere(present('5f2c'));
  await read.overheard.readNamespace('kube-system', signal);
  expect(await read.uid(slots, signal)).toBe('5f2c');
  expect(read.asked).toEqual(['kube-system']);
});

it.each<readonly [why: string, system: NamespaceReading]>([
  ['may not be read', { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no' } }],
  ['has none', present()],
  ['is gone', { kind: 'Gone' }],
])('it is missing if the namespace %s', async (_why, system) => {
  expect(await clusterWhere(system).uid(slots, signal)).toBeUndefined();
});

describe('whether a cluster is the one of a report', () => {
  const unreadable: NamespaceReading = { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no' } };
  const here = (system: NamespaceReading) => ({ server: 'https://here', readNamespace: async () => system });
  const there = { by: 'server', reported: 'https://there', found: 'https://here' };

  it.each<readonly [string, uid: string | undefined, NamespaceReading, expected: unknown]>([
    ['their uids tell, wherever they are', '5f2c', present('5f2c'), undefined],
    [
      'other uids are other clusters',
      '5f2c',
      present('77aa'),
      { by: 'uid', reported: '5f2c', found: '77aa' },
    ],
    ['their addresses tell if the report has no uid', undefined, present('5f2c'), there],
    ['and if the namespace cannot be read', '5f2c', unreadable, there],
  ])('%s', async (_what, uid, system, expected) => {
    expect(await differenceFrom({ server: 'https://there', uid }, here(system), signal)).toEqual(expected);
  });

  it('the same address is enough if a uid is missing', async () => {
    expect(await differenceFrom({ server: 'https://here' }, here(present('5f2c')), signal)).toBeUndefined();
    const known = { server: 'https://here', uid: '5f2c' };
    expect(await differenceFrom(known, here(unreadable), signal)).toBeUndefined();
  });
});
