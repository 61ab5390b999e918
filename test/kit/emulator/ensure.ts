import { apiVersionOf, resources } from './handlers/resources.ts';
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
