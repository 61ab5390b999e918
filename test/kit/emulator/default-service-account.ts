import type { Store } from './world/store.ts';

/** Creates the `default` service account in every namespace, as a controller does in a real cluster. */
export function createDefaultServiceAccounts(store: Store): void {
  store.subscribe(({ resource, type, object }) => {
    if (resource !== 'namespaces' || type !== 'ADDED') return;
    const metadata = { name: 'default', namespace: object.metadata.name };
    store.create('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  });
}
