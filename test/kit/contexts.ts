import { parse } from 'yaml';
import type { TestCluster } from './stuck-pods.ts';

/** What a context of a kubeconfig names. */
export interface Entry {
  readonly cluster: object;
  readonly user: object;
}

export function entryOf({ emulator }: TestCluster): Entry {
  const { clusters, users } = parse(emulator.kubeconfig('admin'));
  return { cluster: clusters[0].cluster, user: users[0].user };
}

/** A kubeconfig with a context for each entry; the last one is the current one. */
export function kubeconfigOf(entries: Readonly<Record<string, Entry>>): string {
  const named = Object.entries(entries);
  return JSON.stringify({
    'current-context': named.at(-1)?.[0],
    contexts: named.map(([name]) => ({ name, context: { cluster: name, user: name } })),
    clusters: named.map(([name, { cluster }]) => ({ name, cluster })),
    users: named.map(([name, { user }]) => ({ name, user })),
  });
}
