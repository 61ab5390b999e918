import { randomUUID } from 'node:crypto';
import { defaultJob, defaultPod, type JobManifest, type PodManifest } from '../../world/defaults.ts';
import type { KubeObject } from '../../world/objects.ts';
import { type Draft, generatedName, rfc3339, StoreConflict } from '../../world/store.ts';
import { mutate } from '../admission/mutating.ts';
import { enforcePolicies } from '../admission/policies.ts';
import { writeOf } from '../admission/requests.ts';
import { type Answer, json } from '../answer.ts';
import { type Call, present, toCoreEvent, validateEvent } from '../call.ts';
import { alreadyExists, badRequest, forbidden, notFound, StatusError } from '../status.ts';
import { validateMetadata } from '../validate/metadata.ts';
import { validateJob, validatePod } from '../validate/pods.ts';
import { isDryRun, readObject, warningHeader } from './body.ts';

export function createObject(call: Call): Answer {
  const { resource } = call;
  const { object, warnings } = readObject(call);
  checkNamespace(call);
  const created = create(call, object);
  return json(201, present(resource, created), warningHeader(warnings));
}

/** Also handles PUT of a Lease or an Event that does not exist yet. */
export function create(call: Call, object: KubeObject): KubeObject {
  const { backend, resource } = call;
  if (object.metadata.resourceVersion) {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
  const dryRun = isDryRun(call);
  // A webhook sees a pod without its defaults, and what it returns gets them.
  const mutated = mutate(call, { object: withName(object), dryRun });
  validateMetadata(resource, mutated);
  const prepared = prepare(call, mutated);
  const identity = { uid: randomUUID(), creationTimestamp: rfc3339(backend.clock.now()) };
  const draft = { ...prepared, metadata: { ...identity, ...prepared.metadata } };
  const created = draft as unknown as KubeObject;
  enforcePolicies(writeOf(call, 'CREATE', { object: present(resource, created), dryRun }));
  const { name } = created.metadata;
  if (dryRun) {
    const exists = backend.store.get(resource.resource, call.info.namespace || undefined, name);
    if (exists) throw alreadyExists(resource, name);
    return created;
  }
  try {
    return backend.store.create(resource.resource, draft);
  } catch (error) {
    if (error instanceof StoreConflict) throw alreadyExists(resource, name);
    throw error;
  }
}

function checkNamespace({ backend, resource, info }: Call): void {
  if (!resource.namespaced) return;
  if (info.namespace === '') throw badRequest('an empty namespace may not be set during creation');
  const namespace = backend.store.get('namespaces', undefined, info.namespace);
  if (!namespace) throw notFound({ group: '', resource: 'namespaces' }, info.namespace);
  if (namespace.metadata.deletionTimestamp) {
    const why = `unable to create new content in namespace ${info.namespace} because it is being terminated`;
    throw forbidden(resource, info.name, why);
  }
}

function withName(object: KubeObject): KubeObject {
  const { uid, creationTimestamp, deletionTimestamp, resourceVersion, ...metadata } = object.metadata;
  if (metadata.name) return { ...object, metadata: metadata as KubeObject['metadata'] };
  if (!metadata.generateName) {
    const message = 'resource name may not be empty: name or generateName is required';
    throw new StatusError(422, 'Invalid', message, { details: {} });
  }
  const name = generatedName(metadata.generateName);
  return { ...object, metadata: { ...metadata, name } as KubeObject['metadata'] };
}

function prepare({ resource }: Call, object: KubeObject): Draft {
  const manifest: unknown = object;
  const draft = { ...object, metadata: { ...object.metadata } as Record<string, unknown> };
  switch (resource.resource) {
    case 'pods':
      validatePod(object);
      return defaultPod(manifest as PodManifest);
    case 'jobs':
      validateJob(object);
      return defaultJob(manifest as JobManifest);
    case 'events':
      validateEvent(object, resource.group);
      return { ...toCoreEvent(object), metadata: draft.metadata };
    case 'namespaces':
      return {
        ...draft,
        metadata: {
          ...draft.metadata,
          labels: { 'kubernetes.io/metadata.name': object.metadata.name, ...object.metadata.labels },
        },
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Active' },
      };
    default:
      return 'spec' in object && resource.resource !== 'leases'
        ? { ...draft, metadata: { generation: 1, ...draft.metadata } }
        : draft;
  }
}
