import { released, TRACKING_FINALIZER } from '../../world/job/pods.ts';
import type { KubeObject, Pod } from '../../world/objects.ts';
import { deletePod, markedForDeletion } from '../../world/pods.ts';
import { rfc3339 } from '../../world/store.ts';
import { enforcePolicies } from '../admission/policies.ts';
import { writeOf } from '../admission/requests.ts';
import { type Answer, json } from '../answer.ts';
import { type Backend, type Call, namedObject, present } from '../call.ts';
import { type Resource, resources } from '../resources.ts';
import { conflict } from '../status.ts';
import { isDryRun, parseJson } from './body.ts';

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string };
  readonly dryRun?: readonly string[];
}

export function deleteObject(call: Call): Answer {
  const { backend, resource } = call;
  const options = readDeleteOptions(call);
  const object = namedObject(call);
  checkPreconditions(resource, object, options);
  const dryRun = isDryRun(call, options.dryRun);
  enforcePolicies(writeOf(call, 'DELETE', { oldObject: present(resource, object), dryRun }));
  if (!dryRun) return deletedAnswer(resource, remove(backend, resource.resource, object, options));
  const isPod = resource.resource === 'pods';
  return deletedAnswer(resource, isPod ? markedForDeletion(object as Pod, backend.clock, options) : object);
}

function readDeleteOptions({ request }: Call): DeleteOptions {
  const { query, body } = request;
  const grace = query.get('gracePeriodSeconds');
  return {
    ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(body.length === 0 ? {} : (parseJson(body) as DeleteOptions)),
  };
}

export function checkPreconditions(resource: Resource, object: KubeObject, options: DeleteOptions): void {
  const { uid } = options.preconditions ?? {};
  const { name, uid: own } = object.metadata;
  // Unlike all other refusals, this one names the kind instead of the resource.
  const subject = { group: resource.group, resource: resource.kind };
  if (uid !== undefined && uid !== own) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${own}). `;
    throw conflict(subject, name, `${why}The object might have been deleted and then recreated`);
  }
}

export function remove(
  backend: Backend,
  resource: string,
  object: KubeObject,
  options: DeleteOptions,
): KubeObject {
  const { store, clock } = backend;
  const { name, namespace, finalizers = [], deletionTimestamp } = object.metadata;
  if (resource === 'pods') return deletePod(store, clock, namespace ?? '', name, options);
  if (deletionTimestamp && finalizers.length > 0) return object;
  const removed =
    finalizers.length === 0
      ? store.delete(resource, namespace, name)
      : store.update(resource, namespace, name, (current) => ({
          ...current,
          metadata: {
            ...current.metadata,
            deletionTimestamp: rfc3339(clock.now()),
            deletionGracePeriodSeconds: 0,
          },
        }));
  releaseDependents(backend, resource, object);
  return removed;
}

/** Some kinds answer with the deleted object, the others with a Status. */
function deletedAnswer(resource: Resource, object: KubeObject): Answer {
  if (['pods', 'jobs', 'namespaces', 'serviceaccounts'].includes(resource.resource)) {
    return json(200, present(resource, object));
  }
  const { name, uid } = object.metadata;
  const group = resource.group === '' ? {} : { group: resource.group };
  return json(200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...group, kind: resource.resource, uid },
  });
}

/**
 * Deletes the dependents of a deleted object, and the contents of a deleted namespace. A
 * real cluster takes seconds, and with `Foreground` the owner waits for them; here it happens at once.
 */
function releaseDependents(backend: Backend, resource: string, { metadata: owner }: KubeObject): void {
  if (resource === 'namespaces') {
    const namespaced = resources.filter((each) => each.namespaced);
    for (const each of namespaced) removeAll(backend, each.resource, owner.name, () => true, 0);
  }
  if (!owners.includes(resource)) return;
  const isOwned = ({ metadata }: KubeObject) =>
    metadata.ownerReferences?.some(({ uid }) => uid === owner.uid) ?? false;
  for (const each of ['jobs', 'replicasets', 'pods']) removeAll(backend, each, owner.namespace, isOwned);
}

const owners = ['jobs', 'cronjobs', 'replicasets', 'deployments', 'statefulsets', 'daemonsets'];

function removeAll(
  backend: Backend,
  resource: string,
  namespace: string | undefined,
  isMeant: (object: KubeObject) => boolean,
  gracePeriodSeconds?: number,
): void {
  for (const { metadata } of backend.store.list(resource, namespace).filter(isMeant)) {
    // The removal of another one may have removed it.
    const found = backend.store.get(resource, namespace, metadata.name);
    if (!found) continue;
    const options = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
    const { finalizers = [] } = found.metadata;
    // The Job controller lets go of a pod whose Job no longer exists.
    const isTracked = finalizers.includes(TRACKING_FINALIZER);
    const free = isTracked ? backend.store.update(resource, namespace, metadata.name, released) : found;
    remove(backend, resource, free, options);
  }
}
