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
function parseFieldSelector(resource: string, selector: string): (object: KubeObject) => boolean {
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

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

/** Parses a query's label selector: equality-based (`a=b`, `a!=b`) or set-based (`a in (b,c)`, `a`, `!a`). */
function parseLabelSelector(selector: string): Requirement {
  const requirements = splitOutsideParentheses(selector).map((part) => parseRequirement(part, selector));
  return (labels) => requirements.every((holds) => holds(labels));
}

/** Evaluates an object's label selector: `matchLabels` and `matchExpressions`. */
export function matchesLabelSelector(selector: unknown, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = (selector ?? {}) as {
    matchLabels?: Labels;
    matchExpressions?: { key: string; operator: string; values?: string[] }[];
  };
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isIn = value !== undefined && values.includes(value);
      return operator === 'NotIn' ? !isIn : isIn;
    })
  );
}

function splitOutsideParentheses(selector: string): string[] {
  return (selector.match(/(?:\([^)]*\)|[^,(])+/g) ?? []).map((part) => part.trim()).filter(Boolean);
}

const key = '([A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?)';
const value = '((?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?)';
const forms: readonly (readonly [RegExp, (name: string, operand: string) => Requirement])[] = [
  [new RegExp(`^${key}\\s*!=\\s*${value}$`), (name, operand) => (labels) => labels[name] !== operand],
  [new RegExp(`^${key}\\s*==?\\s*${value}$`), (name, operand) => (labels) => labels[name] === operand],
  [
    new RegExp(`^${key}\\s+in\\s*\\(([^)]*)\\)$`),
    (name, operand) => {
      const values = splitValues(operand);
      return (labels) => labels[name] !== undefined && values.has(labels[name]);
    },
  ],
  [
    new RegExp(`^${key}\\s+notin\\s*\\(([^)]*)\\)$`),
    (name, operand) => {
      const values = splitValues(operand);
      return (labels) => labels[name] === undefined || !values.has(labels[name]);
    },
  ],
  [
    new RegExp(`^${key}\\s*>\\s*(-?\\d+)$`),
    (name, operand) => (labels) => Number(labels[name]) > Number(operand),
  ],
  [
    new RegExp(`^${key}\\s*<\\s*(-?\\d+)$`),
    (name, operand) => (labels) => Number(labels[name]) < Number(operand),
  ],
  [new RegExp(`^!\\s*${key}$`), (name) => (labels) => labels[name] === undefined],
  [new RegExp(`^${key}$`), (name) => (labels) => labels[name] !== undefined],
];

function parseRequirement(part: string, selector: string): Requirement {
  for (const [form, build] of forms) {
    const [matched, name = '', operand = ''] = form.exec(part) ?? [];
    if (matched !== undefined) return build(name, operand);
  }
  throw badRequest(`unable to parse requirement: found '${part}', in the selector '${selector}'`);
}

function splitValues(operand: string): ReadonlySet<string> {
  return new Set(operand.split(',').map((each) => each.trim()));
}

/** The objects of a resource that a list, watch or deletecollection selects. */
export interface Selection {
  readonly namespace: string;
  /** Whether a selector narrows it. If so, the server omits `remainingItemCount`. */
  readonly filtered: boolean;
  matches(object: KubeObject): boolean;
}

export function readSelection(resource: string, namespace: string, query: URLSearchParams): Selection {
  const fields = query.get('fieldSelector') ?? '';
  const labels = query.get('labelSelector') ?? '';
  const matchesFields = parseFieldSelector(resource, fields);
  const matchesLabels = parseLabelSelector(labels);
  return {
    namespace,
    filtered: fields !== '' || labels !== '',
    matches: (object) =>
      (namespace === '' || object.metadata.namespace === namespace) &&
      matchesFields(object) &&
      matchesLabels(object.metadata.labels ?? {}),
  };
}
