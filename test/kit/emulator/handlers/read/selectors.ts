import type { KubeObject } from '../../world/objects.ts';
import { badRequest } from '../status.ts';

const eventFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const at = (...paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, path]));

/** The fields that selectors may use, and the path of each. As in the real server, all others are refused. */
const selectable: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pods: at(
    ...['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName'],
    ...['spec.hostNetwork', 'status.phase', 'status.podIP', 'status.nominatedNodeName'],
  ),
  jobs: { 'status.successful': 'status.succeeded' },
  namespaces: at('status.phase'),
  nodes: at('spec.unschedulable'),
  events: {
    ...at('reason', 'type', 'reportingComponent', ...eventFields.map((field) => `involvedObject.${field}`)),
    ...Object.fromEntries(eventFields.map((field) => [`regarding.${field}`, `involvedObject.${field}`])),
    source: 'source.component',
  },
};

/** What counts where an object says nothing, if not the empty string. */
const absent: Readonly<Record<string, string>> = {
  'spec.hostNetwork': 'false',
  'spec.unschedulable': 'false',
  'status.succeeded': '0',
};

function reader(path: string): (object: KubeObject) => string {
  const keys = path.split('.');
  return (object) =>
    String(keys.reduce<unknown>((part, key) => Object(part ?? {})[key], object) ?? absent[path] ?? '');
}

/** Parses a field selector, for example `status.phase=Running,spec.restartPolicy!=Always`. */
function parseFieldSelector(resource: string, selector: string): (object: KubeObject) => boolean {
  const paths = { ...at('metadata.name', 'metadata.namespace'), ...selectable[resource] };
  const terms = selector
    .split(/(?<!\\),/)
    .filter(Boolean)
    .map((term) => {
      const [, field, operator, value = ''] = /^([^=!]+)(==|!=|=)(.*)$/s.exec(term) ?? [];
      if (!field) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
      const path: string | undefined = paths[field];
      if (path === undefined) throw badRequest(`field label not supported: ${field}`);
      const read = reader(path);
      const wanted = value.replace(/\\([\\,=])/g, '$1');
      return (object: KubeObject) => (read(object) === wanted) === (operator !== '!=');
    });
  return (object) => terms.every((holds) => holds(object));
}

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

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

const key = '([A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?)';
const value = '((?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?)';
// biome-ignore format: one row a line
const forms: readonly (readonly [RegExp, (name: string, operand: string) => Requirement])[] = [
  [new RegExp(`^${key}\\s*!=\\s*${value}$`), (name, operand) => (labels) => labels[name] !== operand],
  [new RegExp(`^${key}\\s*==?\\s*${value}$`), (name, operand) => (labels) => labels[name] === operand],
  [new RegExp(`^${key}\\s+in\\s*\\(([^)]*)\\)$`), isIn],
  [new RegExp(`^${key}\\s+notin\\s*\\(([^)]*)\\)$`), (name, operand) => (labels) => !isIn(name, operand)(labels)],
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

function isIn(name: string, operand: string): Requirement {
  const values = new Set(operand.split(',').map((each) => each.trim()));
  return (labels) => labels[name] !== undefined && values.has(labels[name]);
}

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
  // Equality-based (`a=b`, `a!=b`) or set-based (`a in (b,c)`, `a`, `!a`).
  const parts = (labels.match(/(?:\([^)]*\)|[^,(])+/g) ?? []).map((part) => part.trim()).filter(Boolean);
  const requirements = parts.map((part) => parseRequirement(part, labels));
  return {
    namespace,
    filtered: fields !== '' || labels !== '',
    matches: (object) =>
      (namespace === '' || object.metadata.namespace === namespace) &&
      matchesFields(object) &&
      requirements.every((holds) => holds(object.metadata.labels ?? {})),
  };
}
