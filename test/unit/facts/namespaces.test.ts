import { describe, expect, it } from 'vitest';
import { readClusterUid, selectNamespaces } from '../../../src/facts/namespaces.ts';
import type { NamespaceReading } from '../../../src/model/reading.ts';
import { createSlots } from '../../../src/util/concurrency.ts';
import { clusterWith } from '../../builders/cluster.ts';

const { signal } = new AbortController();

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
    expect(await selectNamespaces(all, clusterWith({}), signal)).toEqual({ scope: all, names: undefined });
  });

  it('that matches nothing, or cannot be answered, never means all namespaces', async () => {
    expect(await selectNamespaces(scope, matching(), signal)).toEqual({ scope: undefined, names: new Set() });
    const problem = { kind: 'Forbidden', message: 'no' } as const;
    const refusing = clusterWith({ listNamespaces: async () => ({ kind: 'Unreadable', problem }) });
    expect(await selectNamespaces(scope, refusing, signal)).toEqual({
      scope: undefined,
      names: new Set(),
      problem,
    });
    const others = { ...scope, namespaces: ['jobs'] };
    expect((await selectNamespaces(others, matching('etl'), signal)).scope).toBeUndefined();
  });

  it('narrows the lists, unless they would be too many', async () => {
    const excluded = { ...scope, excludeNamespaces: ['web'] };
    const few = await selectNamespaces(excluded, matching('jobs', 'etl', 'web'), signal);
    expect(few).toEqual({
      scope: { ...excluded, namespaces: ['jobs', 'etl'] },
      names: new Set(['jobs', 'etl', 'web']),
    });
    const names = Array.from({ length: 51 }, (_, index) => `team-${index}`);
    expect(
      (await selectNamespaces(scope, matching(...names.slice(1)), signal)).scope?.namespaces,
    ).toHaveLength(50);
    expect((await selectNamespaces(scope, matching(...names), signal)).scope).toBe(scope);
  });
});

it.each<readonly [title: string, system: NamespaceReading, uid: string | undefined]>([
  ['is that of kube-system', { kind: 'Present', annotations: {}, uid: '5f2c' }, '5f2c'],
  ['is missing if that has none', { kind: 'Present', annotations: {} }, undefined],
  ['is missing if that is gone', { kind: 'Gone' }, undefined],
  [
    'is missing if that may not be read',
    { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no' } },
    undefined,
  ],
])('the uid of a cluster %s', async (_title, system, uid) => {
  const cluster = clusterWith({
    async readNamespace(name) {
      expect(name).toBe('kube-system');
      return system;
    },
  });
  expect(await readClusterUid(cluster, createSlots(1), signal)).toBe(uid);
});
