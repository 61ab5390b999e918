import type { EmulatorClock } from '../clock.ts';
import type { Kubelet } from '../world/kubelet/kubelet.ts';
import type { KubeObject, Pod } from '../world/objects.ts';
import type { Store } from '../world/store.ts';
import type { Tokens, User } from './access.ts';
import type { ApiRequest } from './answer.ts';
import { apiVersionOf, type Resource, type ResourceInfo } from './resources.ts';
import { type FieldProblem, fieldError, invalid, notFound } from './status.ts';

/** A mutating webhook for pods, for example one that sets every image to a mirror of its registry. */
export interface PodWebhook {
  /** Whether it is asked again if something changes the pod after it. */
  readonly reinvocationPolicy?: 'IfNeeded';
  readonly rewrite: (pod: Pod) => Pod;
}

export interface Backend {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly kubelet: Kubelet;
  readonly tokens: Tokens;
  readonly webhook: PodWebhook | undefined;
}

export interface Call {
  readonly backend: Backend;
  readonly request: ApiRequest;
  readonly info: ResourceInfo;
  readonly resource: Resource;
  readonly user: User;
  readonly warn: (text: string) => void;
}

/** An object in the form that this resource's group and version has. */
export function present(resource: Resource, object: KubeObject): KubeObject {
  if (resource.resource === 'events') {
    return resource.group === '' ? toCoreEvent(object) : toNewerEvent(object);
  }
  return { ...object, kind: resource.kind, apiVersion: apiVersionOf(resource) };
}

export function namedObject<T extends KubeObject>({ backend, resource, info }: Call): T {
  const found = backend.store.get<T>(resource.resource, info.namespace || undefined, info.name);
  if (!found) throw notFound(resource, info.name);
  return found;
}

/** Core v1 and events.k8s.io/v1 name the fields of an Event differently. The store keeps the core form. */
// biome-ignore format: as many as fit on a line
const names: readonly (readonly [core: string, newer: string])[] = [
  ['involvedObject', 'regarding'], ['message', 'note'], ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'], ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'], ['count', 'deprecatedCount'],
];

export function toCoreEvent(event: KubeObject): KubeObject {
  const renamed = rename(event, new Map(names.map(([core, newer]) => [newer, core])));
  return {
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    ...renamed,
    kind: 'Event',
    apiVersion: 'v1',
  };
}

function toNewerEvent(event: KubeObject): KubeObject {
  const renamed = rename(toCoreEvent(event), new Map(names));
  return { ...renamed, kind: 'Event', apiVersion: 'events.k8s.io/v1' };
}

function rename(event: KubeObject, to: ReadonlyMap<string, string>): KubeObject {
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => [to.get(key) ?? key, value]),
  ) as unknown as KubeObject;
}

/** Events with an eventTime are validated more strictly; events.k8s.io requires eventTime. */
export function validateEvent(event: KubeObject, group: string): void {
  const core = toCoreEvent(event);
  const involved = (core['involvedObject'] ?? {}) as { namespace?: string };
  const problems: FieldProblem[] = [];
  const require = (field: string, value: unknown) => {
    if (!value) problems.push(fieldError('Required', field));
  };
  if (core['eventTime']) {
    require('reportingController', core['reportingComponent']);
    require('reportingInstance', core['reportingInstance']);
    require('action', core['action']);
    require('reason', core['reason']);
  }
  if ((involved.namespace ?? 'default') !== core.metadata.namespace) {
    const detail = `"${involved.namespace ?? ''}": does not match event.namespace`;
    problems.push(fieldError('Invalid', 'involvedObject.namespace', detail));
  }
  if (group !== '') {
    require('eventTime', core['eventTime']);
    if (core['type'] !== 'Normal' && core['type'] !== 'Warning') {
      problems.push(fieldError('Invalid', 'type', `"": has invalid value: ${core['type'] ?? ''}`));
    }
  }
  if (problems.length > 0) throw invalid('Event', '', event.metadata.name, problems);
}
