import type { Emulator } from './emulator.ts';
import { apiVersionOf, resources } from './handlers/resources.ts';
import type { Pod } from './world/objects.ts';
import type { Store } from './world/store.ts';
import type { World } from './world/world.ts';

/** An object as in a manifest. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** Stores the object as written if it is missing: without a request, defaults or validation. */
export function ensureObject({ store }: World, object: Manifest): void {
  const { apiVersion, kind, metadata } = object;
  const served = resources.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion);
  if (!served) throw new Error(`the emulator does not serve ${apiVersion} ${kind}`);
  // The server drops the namespace that kustomize gives to kinds that it takes for namespaced.
  const namespace = served.namespaced ? metadata.namespace : undefined;
  if (store.get(served.resource, namespace, metadata.name)) return;
  store.create(served.resource, { ...object, metadata: { ...metadata, namespace } });
}

/** Creates the namespace if it is missing: handlers refuse to create objects in a missing namespace. */
export function ensureNamespace(world: World, name: string): void {
  ensureObject(world, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
}

/** Adds a node like the first one, unless there is one of this name. */
export function addNode({ world: { store } }: Emulator, node: string): void {
  if (store.get('nodes', undefined, node)) return;
  const [template] = store.list('nodes');
  if (!template) throw new Error('the cluster has no node');
  const { name: _name, uid: _uid, resourceVersion: _version, ...metadata } = template.metadata;
  store.create('nodes', { ...template, metadata: { ...metadata, name: node } });
}

/** Creates the `default` service account in every namespace, as a controller does in a real cluster. */
export function createDefaultServiceAccounts(store: Store): void {
  store.subscribe(({ resource, type, object }) => {
    if (resource !== 'namespaces' || type !== 'ADDED') return;
    const metadata = { name: 'default', namespace: object.metadata.name };
    store.create('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  });
}

/**
 * Adds a node whose kubelet runs its pods and reports on them, but answers nothing that the API server passes on to it: as one
 * does whose port is filtered, or whose streaming server hangs. Returns a function that makes it answer.
 */
export function hangKubelet(emulator: Emulator, node: string): () => void {
  const { world, faults } = emulator;
  const { store } = world;
  addNode(emulator, node);
  return faults.add(
    {
      resource: 'pods',
      when: ({ subresource, namespace, name }) =>
        ['exec', 'portforward', 'log'].includes(subresource) &&
        store.get<Pod>('pods', namespace, name)?.spec.nodeName === node,
    },
    { kind: 'NeverAnswer' },
  );
}
