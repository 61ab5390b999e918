import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, Pod } from '../../world/objects.ts';
import { StoreConflict } from '../../world/store.ts';
import { mutate } from '../admission/mutating.ts';
import { enforcePolicies } from '../admission/policies.ts';
import { writeOf } from '../admission/requests.ts';
import { type Answer, json } from '../answer.ts';
import { type Call, namedObject, present, toCoreEvent } from '../call.ts';
import {
  validateEphemeralContainers,
  withEphemeralContainers,
  withResources,
  withStatus,
} from '../pods/subresources.ts';
import type { Resource } from '../resources.ts';
import { conflict, fieldError, invalid, notFound } from '../status.ts';
import { validateMetadataUpdate } from '../validate/metadata.ts';
import { validatePodUpdate } from '../validate/pods.ts';
import { isDryRun, readObject, warningHeader } from './body.ts';
import { create } from './create.ts';

export function replaceObject(call: Call): Answer {
  const { backend, resource, info } = call;
  const { object, warnings } = readObject(call);
  const exists = backend.store.get(resource.resource, info.namespace || undefined, info.name);
  if (!exists && ['leases', 'events'].includes(resource.resource)) {
    return json(201, present(resource, create(call, object)), warningHeader(warnings));
  }
  const { resourceVersion } = object.metadata;
  if (resource.resource === 'leases' && !resourceVersion) {
    const problem = fieldError('Invalid', 'metadata.resourceVersion', '0: must be specified for an update');
    throw invalid(resource.kind, resource.group, info.name, [problem]);
  }
  const updated = commitChange(call, () => object);
  return json(200, present(resource, updated), warningHeader(warnings));
}

/**
 * Writes the result of `change`. The identity is kept, a resourceVersion in the result must be the current
 * one, `status` changes only through its subresource, and an unchanged object is not written.
 */
export function commitChange(call: Call, change: (current: KubeObject) => KubeObject): KubeObject {
  const { backend, resource, info } = call;
  const current = namedObject(call);
  const dryRun = isDryRun(call);
  const wanted = mutate(call, { object: change(current), oldObject: current, dryRun });
  checkIdentity(call, current, wanted);
  const next = keepWhatMayNotChange(call, current, wanted);
  validateMetadataUpdate(resource, next);
  validateUpdate(call, current, next);
  const write = { object: present(resource, next), oldObject: present(resource, current), dryRun };
  enforcePolicies(writeOf(call, 'UPDATE', write));
  if (isDeepStrictEqual(strip(current), strip(next))) return current;
  if (dryRun) return next;
  try {
    return backend.store.update(resource.resource, info.namespace || undefined, info.name, () => next, {
      resourceVersion: current.metadata.resourceVersion,
    });
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
    throw error.kind === 'NotFound' ? notFound(resource, info.name) : modifiedMeanwhile(call);
  } finally {
    removeWhenReleased(call);
  }
}

function checkIdentity(call: Call, current: KubeObject, { metadata }: KubeObject): void {
  const { uid, resourceVersion } = current.metadata;
  if (metadata.resourceVersion && metadata.resourceVersion !== resourceVersion) throw modifiedMeanwhile(call);
  if (metadata.uid && metadata.uid !== uid) {
    const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`;
    throw conflict(call.resource, call.info.name, why);
  }
}

function modifiedMeanwhile({ resource, info }: Call) {
  const why = 'the object has been modified; please apply your changes to the latest version and try again';
  return conflict(resource, info.name, why);
}

function keepWhatMayNotChange({ resource, info }: Call, current: KubeObject, wanted: KubeObject): KubeObject {
  const own = resource.resource === 'events' ? toCoreEvent(wanted) : wanted;
  if (info.subresource === 'status') {
    return resource.resource === 'pods' ? withStatus(current, own) : { ...current, status: own['status'] };
  }
  const ofPod = { ephemeralcontainers: withEphemeralContainers, resize: withResources }[info.subresource];
  const next = ofPod ? ofPod(current as Pod, own as Pod) : withFixed(resource, current, own);
  const { generation } = current.metadata;
  if (generation === undefined || isDeepStrictEqual(current['spec'], next['spec'])) return next;
  return { ...next, metadata: { ...next.metadata, generation: generation + 1 } };
}

const fixed = [
  ...['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'generation'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds'],
];

function withFixed({ subresources }: Resource, current: KubeObject, wanted: KubeObject): KubeObject {
  const { managedFields, ...metadata } = wanted.metadata as KubeObject['metadata'] & {
    managedFields?: unknown;
  };
  const kept = Object.entries(current.metadata).filter(([name]) => fixed.includes(name));
  const hasStatus = subresources.some(({ name }) => name === 'status') && current['status'] !== undefined;
  return {
    ...wanted,
    metadata: { ...metadata, ...Object.fromEntries(kept) },
    ...(hasStatus ? { status: current['status'] } : {}),
  };
}

function validateUpdate({ resource, info }: Call, current: KubeObject, next: KubeObject): void {
  if (resource.resource !== 'pods') return;
  if (info.subresource === '') validatePodUpdate(current as Pod, next as Pod);
  if (info.subresource === 'ephemeralcontainers') validateEphemeralContainers(current as Pod, next as Pod);
}

/** Removes kind, apiVersion and undefined fields, so that only real changes differ. */
function strip({ kind, apiVersion, ...object }: KubeObject): unknown {
  return JSON.parse(JSON.stringify(object));
}

function removeWhenReleased({ backend, resource, info }: Call): void {
  const namespace = info.namespace || undefined;
  const object = backend.store.get(resource.resource, namespace, info.name);
  if (!object?.metadata.deletionTimestamp || object.metadata.finalizers?.length) return;
  if ((object.metadata.deletionGracePeriodSeconds ?? 0) > 0) return;
  backend.store.delete(resource.resource, namespace, info.name);
}
