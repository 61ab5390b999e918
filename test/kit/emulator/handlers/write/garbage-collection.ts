import type { KubeObject } from '../../world/objects.ts';
import type { Backend } from '../call.ts';
import { resources } from '../resources.ts';
import { remove } from './delete.ts';

const jobTracking = 'batch.kubernetes.io/job-tracking';

/**
 * Deletes or orphans the dependents of a deleted object, and deletes the contents of a deleted namespace. A
 * real cluster takes seconds, and with `Foreground` the owner waits for them; here it happens at once.
 */
export function releaseDependents(
  backend: Backend,
  resource: string,
  owner: KubeObject,
  propagationPolicy: string,
): void {
  if (resource === 'namespaces') emptyNamespace(backend, owner.metadata.name);
  else if (
    ['jobs', 'cronjobs', 'replicasets', 'deployments', 'statefulsets', 'daemonsets'].includes(resource)
  ) {
    for (const dependentResource of ['jobs', 'replicasets', 'pods']) {
      for (const dependent of backend.store.list(dependentResource, owner.metadata.namespace)) {
        const owned = dependent.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid);
        if (!owned) continue;
        if (propagationPolicy === 'Orphan') disown(backend, dependentResource, dependent, owner);
        else remove(backend, dependentResource, untracked(backend, dependentResource, dependent), {});
      }
    }
  }
}

function disown(backend: Backend, resource: string, dependent: KubeObject, owner: KubeObject): void {
  const { namespace, name } = dependent.metadata;
  backend.store.update(resource, namespace, name, (current) => ({
    ...current,
    metadata: {
      ...current.metadata,
      ownerReferences: (current.metadata.ownerReferences ?? []).filter(
        ({ uid }) => uid !== owner.metadata.uid,
      ),
    },
  }));
}

/** The Job controller removes its finalizer from a pod whose Job no longer exists. */
function untracked(backend: Backend, resource: string, dependent: KubeObject): KubeObject {
  const { namespace, name, finalizers } = dependent.metadata;
  if (!finalizers?.includes(jobTracking)) return dependent;
  return backend.store.update(resource, namespace, name, (current) => {
    const { finalizers: held = [], ...metadata } = current.metadata;
    const left = held.filter((finalizer) => finalizer !== jobTracking);
    return { ...current, metadata: left.length === 0 ? metadata : { ...metadata, finalizers: left } };
  });
}

function emptyNamespace(backend: Backend, namespace: string): void {
  for (const { resource, namespaced } of resources) {
    if (!namespaced) continue;
    for (const object of backend.store.list(resource, namespace)) {
      const present = backend.store.get(resource, namespace, object.metadata.name);
      if (present)
        remove(backend, resource, untracked(backend, resource, present), { gracePeriodSeconds: 0 });
    }
  }
}
