import { expect, it } from 'vitest';
import { identify } from '../../../src/facts/namespaces.ts';
import type { Cluster } from '../../../src/model/ports.ts';
import type { NamespaceReading } from '../../../src/model/reading.ts';
import { createSlots } from '../../../src/util/concurrency.ts';

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
  const { uid, observed, asked } = clusterWhere(present('5f2c'));
  await observed.readNamespace('demo', signal);
  expect(await uid(slots, signal)).toBe('5f2c');
  expect(asked).toEqual(['demo', 'kube-system']);
});

it('what is listed or read anyway is not read again', async () => {
  const listed = clusterWhere(present('5f2c'));
  await listed.observed.listNamespaces(undefined, undefined, signal);
  expect(await listed.uid(slots, signal)).toBe('5f2c');
  expect(listed.asked).toEqual(['list']);
  const read = clusterWhere(present('5f2c'));
  await read.observed.readNamespace('kube-system', signal);
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
