import type { KubeObject } from '../world/objects.ts';
import { type FieldProblem, invalid } from './status.ts';

/** Core v1 and events.k8s.io/v1 name the fields of an Event differently. The store keeps the core form. */
const names: readonly (readonly [core: string, newer: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
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

export function toNewerEvent(event: KubeObject): KubeObject {
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
    if (!value) problems.push({ field, reason: 'FieldValueRequired', message: 'Required value' });
  };
  if (core['eventTime']) {
    require('reportingController', core['reportingComponent']);
    require('reportingInstance', core['reportingInstance']);
    require('action', core['action']);
    require('reason', core['reason']);
  }
  if ((involved.namespace ?? 'default') !== core.metadata.namespace) {
    problems.push({
      field: 'involvedObject.namespace',
      reason: 'FieldValueInvalid',
      message: `Invalid value: "${involved.namespace ?? ''}": does not match event.namespace`,
    });
  }
  if (group !== '') {
    require('eventTime', core['eventTime']);
    if (core['type'] !== 'Normal' && core['type'] !== 'Warning') {
      problems.push({
        field: 'type',
        reason: 'FieldValueInvalid',
        message: `Invalid value: "": has invalid value: ${core['type'] ?? ''}`,
      });
    }
  }
  if (problems.length > 0) throw invalid('Event', '', event.metadata.name, problems);
}
