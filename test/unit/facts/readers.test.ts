import { describe, expect, it } from 'vitest';
import {
  createFactsReader,
  createNamespaceReader,
  createNodeReader,
  readByList,
  readClusterUid,
  readsPerPage,
  reportMissing,
  selectNamespaces,
} from '../../../src/facts/readers.ts';
import type { NamespaceReading, NodeReading, Problem } from '../../../src/model/reading.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import { createSlots } from '../../../src/util/concurrency.ts';
import { clusterWith, unreadable } from '../../builders/cluster.ts';
import { noFacts } from '../../builders/policy.ts';

const stop = new AbortController().signal;
const slots = createSlots(20);

/** A cluster with these nodes or namespaces; all others are gone. */
function reading<Reading>(
  readings: Readonly<Record<string, Reading>> | Reading,
  gone: Reading,
  mayList = true,
) {
  const asked: string[] = [];
  const events: SweepEvent[] = [];
  const isOne = typeof readings === 'object' && readings !== null && 'kind' in readings;
  const read = async (name: string, signal: AbortSignal) => {
    expect(signal).toBe(stop);
    asked.push(name);
    if (isOne) return readings as Reading;
    return (readings as Readonly<Record<string, Reading>>)[name] ?? gone;
  };
  const list = async () => {
    asked.push('list');
    if (!mayList) return unreadable('Forbidden');
    const all = Object.entries(readings as Readonly<Record<string, Reading>>);
    const items = all.map(([name, one]) => ({ name, reading: one }));
    return { kind: 'Page', items, token: undefined } as const;
  };
  return { read, list, asked, events };
}

function nodes(readings: Readonly<Record<string, NodeReading>> | NodeReading, mayList = true) {
  const { read, list, asked, events } = reading(readings, { kind: 'NotReady', reason: 'NodeGone' }, mayList);
  const cluster = clusterWith({ readNode: read, listNodes: list });
  const readAll = createNodeReader({ cluster, emit: (event) => void events.push(event), slots, stop });
  return { readAll, readOne: async (name: string) => (await readAll([name])).get(name), asked, events };
}

const ready = { kind: 'Ready', platform: 'linux/amd64' } as const;
const named = (count: number) => Array.from({ length: count }, (_, number) => `node-${number}`);
const allReady = (count: number) => Object.fromEntries(named(count).map((name) => [name, ready]));

describe('a node', () => {
  // biome-ignore format: one row a line
  it.each<readonly [kind: Problem['kind'], asked: readonly string[], warnings: readonly string[]]>([
    ['Forbidden', ['node1'], ['Forbidden!; grant get on nodes with the rule - {apiGroups: [""], resources: [nodes], verbs: [get]}']],
    ['TimedOut', ['node1', 'node2'], ['TimedOut!']],
    ['Interrupted', ['node1', 'node2'], []],
  ])('that cannot be read causes at most one warning: %s', async (kind, expected, warnings) => {
    const { readOne, asked, events } = nodes(unreadable(kind));
    expect([await readOne('node1'), await readOne('node2')]).toEqual([unreadable(kind), unreadable(kind)]);
    expect(asked).toEqual(expected);
    expect(events).toEqual(
      warnings.map((message) => ({ kind: 'Warned', warning: { kind: 'NodesUnreadable', message } })),
    );
  });
});

describe('many nodes', () => {
  it('are read by a list, and those that it lacks by name', async () => {
    const { readAll, asked } = nodes(allReady(30));
    const expected = { ...allReady(20), gone: { kind: 'NotReady', reason: 'NodeGone' } };
    expect(await readAll([...named(20), 'gone'])).toEqual(new Map(Object.entries(expected)));
    expect(asked).toEqual(['list', 'gone']);
  });

  it('are read one by one if they may not be listed, without a warning', async () => {
    const { readAll, asked, events } = nodes(allReady(30), false);
    expect(await readAll(named(10))).toEqual(new Map(Object.entries(allReady(10))));
    await readAll(named(10));
    expect(asked).toEqual(['list', ...named(10), ...named(10)]);
    expect(events).toEqual([]);
  });
});

describe('namespaces', () => {
  const present: NamespaceReading = { kind: 'Present', annotations: {} };
  const { problem } = unreadable('Forbidden');

  function namespaces(readings: Readonly<Record<string, NamespaceReading>>) {
    const { read, list, asked, events } = reading(readings, { kind: 'Gone' });
    const cluster = clusterWith({ readNamespace: read, listNamespaces: list });
    const emit = (event: SweepEvent) => void events.push(event);
    return { options: { cluster, emit, slots, stop }, asked, events };
  }

  it('are read one by one if they are few, else by a list', async () => {
    const all = Object.fromEntries(named(12).map((name) => [name, present]));
    const { options, asked } = namespaces(all);
    const readAll = createNamespaceReader(options);
    expect([...(await readAll(['node-1']))]).toEqual([['node-1', present]]);
    expect((await readAll(named(12))).size).toBe(12);
    expect(asked).toEqual(['node-1', 'list']);
  });

  it('that cannot be read are reported, unless the sweep was stopped', async () => {
    const { options, events } = namespaces({
      demo: unreadable('Forbidden'),
      late: unreadable('Interrupted'),
    });
    await createNamespaceReader(options)(['demo', 'gone', 'late']);
    expect(events).toEqual([{ kind: 'ReadFailed', namespace: 'demo', problem, what: 'Namespace' }]);
  });

  it('are read again after 30 s, for all pods at once', async () => {
    const { options, asked } = namespaces({ demo: present, secret: unreadable('Forbidden') });
    let time = 0;
    const clock = { now: () => time, sleep: async () => undefined };
    const read = createFactsReader({ ...options, facts: noFacts, age: () => time, clock });
    expect(await read('demo')).toBe(noFacts);
    for (time of [31_000, 61_000, 62_000]) {
      const [facts, again, before] = await Promise.all([read('demo'), read('demo'), read('secret')]);
      expect(again).toEqual(facts);
      expect(facts.namespaces).toEqual(new Map([['demo', present]]));
      expect(before).toBe(noFacts);
    }
    expect(asked).toEqual(['demo', 'secret', 'demo', 'secret']);
  });

  it('stay as they were read last if they cannot be read any more', async () => {
    const answers = [present, unreadable('TimedOut'), unreadable('TimedOut')];
    const cluster = clusterWith({ readNamespace: async () => answers.shift() ?? { kind: 'Gone' } });
    let time = 31_000;
    const clock = { now: () => time, sleep: async () => undefined };
    const read = createFactsReader({ cluster, stop, facts: noFacts, age: () => time, clock });
    for (time of [31_000, 62_000, 93_000]) {
      expect((await read('demo')).namespaces).toEqual(new Map([['demo', present]]));
    }
    time = 124_000;
    expect((await read('demo')).namespaces).toEqual(new Map([['demo', { kind: 'Gone' }]]));
  });

  it('that are named and do not exist are reported, if they may be read', async () => {
    const { options, events } = namespaces({ demo: present, secret: unreadable('Forbidden') });
    await reportMissing(['demo', 'secret', 'nope'], options);
    const problem = { message: 'namespace nope does not exist' };
    expect(events).toMatchObject([{ namespace: 'nope', problem, what: 'Namespace' }]);
  });
});

/** How many pages of a list are read before it is given up. */
async function pagesRead(wanted: number, perPage: number, pages = 1_000): Promise<number> {
  let read = 0;
  await readByList<number>(
    wanted,
    async (token) => {
      expect(token).toBe(read === 0 ? undefined : String(read));
      read++;
      const items = Array.from({ length: perPage }, (_, index) => index);
      return { kind: 'Page', items, token: read < pages ? String(read) : undefined };
    },
    () => 'Wanted',
  );
  return read;
}

it.each<readonly [title: string, read: Promise<number>, expected: number]>([
  ['not at all for few objects', pagesRead(readsPerPage - 1, 100), 0],
  ['from ten objects on', pagesRead(readsPerPage, 100), 1],
  ['until so few are missing that single reads are cheaper', pagesRead(100, 50), 2],
  ['(31 a page)', pagesRead(100, 31), 3],
  ['until more pages were read than reads were saved', pagesRead(100, 0), 10],
  ['(105 objects)', pagesRead(105, 0), 10],
  ['to its end', pagesRead(100, 0, 3), 3],
])('a list is read %s', async (_title, read, expected) => {
  expect(await read).toBe(expected);
});

describe('a selector of namespaces', () => {
  const scope = { namespaces: [], labelSelector: undefined, namespaceSelector: 'team=a' };
  const present = { kind: 'Present', annotations: {} } as const;

  /** A cluster in which these namespaces match any selector. */
  function matching(...names: readonly string[]) {
    return clusterWith({
      async listNamespaces(selector) {
        expect(selector).toBe('team=a');
        const items = names.map((name) => ({ name, reading: present }));
        return { kind: 'Page', items, token: undefined };
      },
    });
  }

  it('is not sent if there is none', async () => {
    const all = { namespaces: ['demo'], labelSelector: undefined };
    expect(await selectNamespaces(all, clusterWith({}), stop)).toEqual({ scope: all, names: undefined });
  });

  it('that matches nothing, or cannot be answered, never means all namespaces', async () => {
    expect(await selectNamespaces(scope, matching(), stop)).toEqual({ scope: undefined, names: new Set() });
    const problem = { kind: 'Forbidden', message: 'no' } as const;
    const refusing = clusterWith({ listNamespaces: async () => ({ kind: 'Unreadable', problem }) });
    const none = { scope: undefined, names: new Set(), problem };
    expect(await selectNamespaces(scope, refusing, stop)).toEqual(none);
    const others = { ...scope, namespaces: ['jobs'] };
    expect((await selectNamespaces(others, matching('etl'), stop)).scope).toBeUndefined();
  });

  it('narrows the lists, unless they would be too many', async () => {
    const excluded = { ...scope, excludeNamespaces: ['web'] };
    const few = {
      scope: { ...excluded, namespaces: ['jobs', 'etl'] },
      names: new Set(['jobs', 'etl', 'web']),
    };
    expect(await selectNamespaces(excluded, matching('jobs', 'etl', 'web'), stop)).toEqual(few);
    const names = Array.from({ length: 51 }, (_, index) => `team-${index}`);
    const fifty = await selectNamespaces(scope, matching(...names.slice(1)), stop);
    expect(fifty.scope?.namespaces).toHaveLength(50);
    expect((await selectNamespaces(scope, matching(...names), stop)).scope).toBe(scope);
  });
});

it.each<readonly [title: string, system: NamespaceReading, uid: string | undefined]>([
  ['is that of kube-system', { kind: 'Present', annotations: {}, uid: '5f2c' }, '5f2c'],
  ['is missing if that has none', { kind: 'Present', annotations: {} }, undefined],
  ['is missing if that is gone', { kind: 'Gone' }, undefined],
  ['is missing if that may not be read', unreadable('Forbidden'), undefined],
])('the uid of a cluster %s', async (_title, system, uid) => {
  const cluster = clusterWith({
    async readNamespace(name) {
      expect(name).toBe('kube-system');
      return system;
    },
  });
  expect(await readClusterUid(cluster, slots, stop)).toBe(uid);
});
