import type { KubeObject, Pod } from '../../world/objects.ts';
import { badRequest } from '../status.ts';

type Read = (object: KubeObject) => string;

const common: Readonly<Record<string, Read>> = {
  'metadata.name': ({ metadata }) => metadata.name,
  'metadata.namespace': ({ metadata }) => metadata.namespace ?? '',
};

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

const podField =
  (read: (pod: Pod) => unknown): Read =>
  (object) =>
    text(read(object as Pod));

const eventField =
  (field: string): Read =>
  (object) => {
    const involved = (object['involvedObject'] ?? object['regarding'] ?? {}) as Record<string, unknown>;
    return text(involved[field]);
  };

const eventFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** The fields that selectors may use. As in the real server, all others are refused. */
const selectable: Readonly<Record<string, Readonly<Record<string, Read>>>> = {
  pods: {
    'spec.nodeName': podField(({ spec }) => spec.nodeName),
    'spec.restartPolicy': podField(({ spec }) => spec.restartPolicy),
    'spec.schedulerName': podField(({ spec }) => spec['schedulerName']),
    'spec.serviceAccountName': podField(({ spec }) => spec.serviceAccountName),
    'spec.hostNetwork': podField(({ spec }) => spec['hostNetwork'] === true),
    'status.phase': podField(({ status }) => status.phase),
    'status.podIP': podField(({ status }) => status['podIP']),
    'status.nominatedNodeName': podField(({ status }) => status['nominatedNodeName']),
  },
  jobs: {
    'status.successful': (object) => text((object['status'] as { succeeded?: number })?.succeeded ?? 0),
  },
  namespaces: { 'status.phase': (object) => text((object['status'] as { phase?: string })?.phase) },
  nodes: {
    'spec.unschedulable': (object) =>
      text((object['spec'] as { unschedulable?: boolean })?.unschedulable === true),
  },
  events: {
    ...Object.fromEntries(
      ['involvedObject', 'regarding'].flatMap((parent) =>
        eventFields.map((field) => [`${parent}.${field}`, eventField(field)]),
      ),
    ),
    reason: (object) => text(object['reason']),
    type: (object) => text(object['type']),
    reportingComponent: (object) => text(object['reportingComponent'] ?? object['reportingController']),
    source: (object) => text((object['source'] as { component?: string })?.component),
  },
};

/** Parses a field selector, for example `status.phase=Running,spec.restartPolicy!=Always`. */
export function parseFieldSelector(resource: string, selector: string): (object: KubeObject) => boolean {
  const readers = { ...common, ...selectable[resource] };
  const terms = selector
    .split(/(?<!\\),/)
    .filter(Boolean)
    .map((term) => {
      const [, field, operator, value = ''] = /^([^=!]+)(==|!=|=)(.*)$/s.exec(term) ?? [];
      if (!field) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
      const read = readers[field];
      if (!read) throw badRequest(`field label not supported: ${field}`);
      const wanted = value.replace(/\\([\\,=])/g, '$1');
      return (object: KubeObject) => (read(object) === wanted) === (operator !== '!=');
    });
  return (object) => terms.every((holds) => holds(object));
}
