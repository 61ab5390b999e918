import { describe, expect, it } from 'vitest';
import {
  createNamespaceReader,
  narrowed,
  reportMissing,
  selectNamespaces,
} from '../../../src/facts/namespaces.ts';
import type { Cluster } from '../../../src/model/ports.ts';
import type { NamespaceReading } from '../../../src/model/reading.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import { createSlots } from '../../../src/util/concurrency.ts';

const { signal } = new AbortController();
const slots = createSlots(20);
const present: NamespaceReading = { kind: 'Present', annotations: {} };
const forbidden = { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no' } } as const;

/** A cluster with these namespaces, that counts what it is asked. */
function clusterOf(readings: Readonly<Record<string, NamespaceReading>>, mayList = true) {
  const asked: string[] = [];
  const cluster: Pick<Cluster, 'readNamespace' | 'listNamespaces'> = {
    async readNamespace(name) {
      asked.push(name);
      return readings[name] ?? { kind: 'Gone' };
    },
    async listNamespaces(selector) {
      asked.push(`list ${selector}`);
      if (!mayList) return forbidden;
      const items = Object.entries(readings).map(([name, reading]) => ({ name, reading }));
      return { kind: 'Page', items, token: undefined };
    },
  };
  const heard: SweepEvent[] = [];
  return { cluster, asked, heard, emit: (event: SweepEvent) => void heard.push(event) };
}

const twelve = Array.from({ length: 12 }, (_, index) => `team-${index}`);
const all = Object.fromEntries(twelve.map((name) => [name, present]));

describe('namespaces are read', () => {
  it('one by one if they are few', async () => {
    const { cluster, asked, emit } = clusterOf(all);
    const readings = await createNamespaceReader(cluster, emit).readAll(['team-1'], slots, signal);
    expect([...readings]).toEqual([['team-1', present]]);
    expect(asked).toEqual(['team-1']);
  });

  it('by a list if they are many, or one by one if lists are forbidden', async () => {
    const listed = clusterOf(all);
    await createNamespaceReader(listed.cluster, listed.emit).readAll(twelve, slots, signal);
    expect(listed.asked).toEqual(['list undefined']);
    const single = clusterOf(all, false);
    const readings = await createNamespaceReader(single.cluster, single.emit).readAll(twelve, slots, signal);
    expect(readings.size).toBe(12);
    expect(single.asked).toHaveLength(13);
  });

  it('and each that cannot be read is told of', async () => {
    const { cluster, heard, emit } = clusterOf({ demo: forbidden });
    await createNamespaceReader(cluster, emit).readAll(['demo', 'gone'], slots, signal);
    const { problem } = forbidden;
    expect(heard).toEqual([{ kind: 'ReadFailed', namespace: 'demo', problem, what: 'Namespace' }]);
  });
});

it('a namespace that does not exist is told of, and nothing if that may not be known', async () => {
  const { cluster, heard, emit } = clusterOf({ demo: present, secret: forbidden });
  await reportMissing(['demo', 'secret', 'nope'], { cluster, slots, emit, stop: signal });
  expect(heard).toMatchObject([{ namespace: 'nope', problem: { message: 'namespace nope does not exist' } }]);
});

describe('a selector of namespaces', () => {
  const scope = { namespaces: [], labelSelector: undefined, namespaceSelector: 'team=a' };

  it('is answered by the API server, and not asked without one', async () => {
    const { cluster, asked } = clusterOf(all);
    expect(await selectNamespaces({}, cluster, signal)).toEqual({ kind: 'All' });
    const selected = await selectNamespaces(scope, cluster, signal);
    expect(asked).toEqual(['list team=a']);
    expect(selected).toEqual({ kind: 'Selected', names: new Set(twelve) });
  });

  it('that matches nothing, or cannot be asked, never means all namespaces', async () => {
    expect(narrowed(scope, { kind: 'Selected', names: new Set() })).toBeUndefined();
    expect(narrowed(scope, forbidden)).toBeUndefined();
    const others = { ...scope, namespaces: ['jobs'] };
    expect(narrowed(others, { kind: 'Selected', names: new Set(['etl']) })).toBeUndefined();
  });

  it('narrows the lists, unless they would be too many', () => {
    const few = new Set(['jobs', 'etl', 'web']);
    const excluded = { ...scope, excludeNamespaces: ['web'] };
    expect(narrowed(excluded, { kind: 'Selected', names: few })?.namespaces).toEqual(['jobs', 'etl']);
    const many = new Set(Array.from({ length: 51 }, (_, index) => `team-${index}`));
    expect(narrowed(scope, { kind: 'Selected', names: many })).toBe(scope);
  });
});
