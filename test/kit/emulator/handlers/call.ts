import type { EmulatorClock } from '../clock.ts';
import type { KubeObject } from '../world/objects.ts';
import type { Kubelet } from '../world/runtime.ts';
import type { Store } from '../world/store.ts';
import type { Tokens, User } from './access/users.ts';
import type { PodWebhook } from './admission/webhook.ts';
import type { ApiRequest } from './answer.ts';
import { toCoreEvent, toNewerEvent } from './events.ts';
import type { ResourceInfo } from './request-info.ts';
import { apiVersionOf, type Resource } from './resources.ts';
import { notFound } from './status.ts';

/** The state behind the API server. */
export interface Backend {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly kubelet: Kubelet;
  readonly tokens: Tokens;
  readonly webhook: PodWebhook | undefined;
}

/** One authorised request about a resource. */
export interface Call {
  readonly backend: Backend;
  readonly request: ApiRequest;
  readonly info: ResourceInfo;
  readonly resource: Resource;
  readonly user: User;
  /** Adds a warning to the answer. */
  readonly warn: (text: string) => void;
}

/** An object in the form that this resource's group and version has. */
export function present(resource: Resource, object: KubeObject): KubeObject {
  if (resource.resource === 'events') {
    return resource.group === '' ? toCoreEvent(object) : toNewerEvent(object);
  }
  return { ...object, kind: resource.kind, apiVersion: apiVersionOf(resource) };
}

/** The object that a request names; throws a 404 if it does not exist. */
export function namedObject<T extends KubeObject>({ backend, resource, info }: Call): T {
  const found = backend.store.get<T>(resource.resource, info.namespace || undefined, info.name);
  if (!found) throw notFound(resource, info.name);
  return found;
}
