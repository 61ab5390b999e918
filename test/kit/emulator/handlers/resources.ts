import type { ApiRequest } from './answer.ts';

export interface Resource {
  readonly group: string;
  readonly version: string;
  /** The plural name, as in paths. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly subresources: readonly Subresource[];
}

interface Subresource {
  readonly name: string;
  readonly kind: string;
  /** Set if it differs from the group of its parent resource. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

interface Extras {
  readonly scope?: 'Cluster';
  readonly short?: string;
  readonly subresources?: readonly Subresource[];
}

function define(
  apiVersion: string,
  kind: string,
  { scope, short, subresources = [] }: Extras = {},
): Resource {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return {
    group,
    version,
    resource: `${kind.toLowerCase().replace(/y$/, 'ie')}s`,
    kind,
    namespaced: scope !== 'Cluster',
    shortNames: short === undefined ? [] : [short],
    subresources,
  };
}

const read = ['get', 'patch', 'update'];
const status = (kind: string) => [{ name: 'status', kind, verbs: read }];

const podSubresources: readonly Subresource[] = [
  ...status('Pod'),
  { name: 'binding', kind: 'Binding', verbs: ['create'] },
  { name: 'ephemeralcontainers', kind: 'Pod', verbs: read },
  { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
  { name: 'exec', kind: 'PodExecOptions', verbs: ['create', 'get'] },
  { name: 'log', kind: 'Pod', verbs: ['get'] },
  { name: 'portforward', kind: 'PodPortForwardOptions', verbs: ['create', 'get'] },
  { name: 'resize', kind: 'Pod', verbs: read },
];

/** The path of bindings from before pods had subresources. It stores nothing. */
const bindings = define('v1', 'Binding');
const rbac = 'rbac.authorization.k8s.io/v1';
const admission = 'admissionregistration.k8s.io/v1';

// biome-ignore format: one row a line
export const resources: readonly Resource[] = [
  define('v1', 'Pod', { short: 'po', subresources: podSubresources }),
  bindings,
  define('v1', 'Event', { short: 'ev' }),
  define('v1', 'Namespace', { scope: 'Cluster', short: 'ns', subresources: status('Namespace') }),
  define('v1', 'Node', { scope: 'Cluster', short: 'no', subresources: status('Node') }),
  define('v1', 'ServiceAccount', { short: 'sa' }),
  define('v1', 'ConfigMap', { short: 'cm' }),
  define('v1', 'Secret'),
  define('v1', 'Service', { short: 'svc' }),
  define('batch/v1', 'Job', { subresources: status('Job') }),
  define('batch/v1', 'CronJob', { short: 'cj', subresources: status('CronJob') }),
  define('apps/v1', 'Deployment', { short: 'deploy' }),
  define('apps/v1', 'ReplicaSet', { short: 'rs' }),
  define('apps/v1', 'StatefulSet', { short: 'sts' }),
  define('apps/v1', 'DaemonSet', { short: 'ds' }),
  define('events.k8s.io/v1', 'Event', { short: 'ev' }),
  define('coordination.k8s.io/v1', 'Lease'),
  define('policy/v1', 'PodDisruptionBudget', { short: 'pdb', subresources: status('PodDisruptionBudget') }),
  define('networking.k8s.io/v1', 'NetworkPolicy', { short: 'netpol' }),
  define(rbac, 'Role'),
  define(rbac, 'RoleBinding'),
  define(rbac, 'ClusterRole', { scope: 'Cluster' }),
  define(rbac, 'ClusterRoleBinding', { scope: 'Cluster' }),
  define(admission, 'ValidatingAdmissionPolicy', { scope: 'Cluster' }),
  define(admission, 'ValidatingAdmissionPolicyBinding', { scope: 'Cluster' }),
  define(admission, 'MutatingAdmissionPolicy', { scope: 'Cluster' }),
  define(admission, 'MutatingAdmissionPolicyBinding', { scope: 'Cluster' }),
];

/** Answered at once and never stored. */
export const accessReviews = define('authorization.k8s.io/v1', 'SelfSubjectAccessReview', {
  scope: 'Cluster',
});

export const served: readonly Resource[] = [...resources, accessReviews];

/** What can only be created. */
export const createdOnly: readonly Resource[] = [bindings, accessReviews];

export function findResource(group: string, version: string, resource: string): Resource | undefined {
  return served.find(
    (each) => each.group === group && each.version === version && each.resource === resource,
  );
}

export function apiVersionOf({ group, version }: { group: string; version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

/** What a request is about, like Kubernetes' RequestInfo. Authorisation and routing use it. */
export type RequestInfo =
  | { readonly kind: 'NonResource'; readonly verb: string; readonly path: string }
  | ResourceInfo;

export interface ResourceInfo {
  readonly kind: 'Resource';
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** A request about nothing yet. */
export const noResource: ResourceInfo = {
  kind: 'Resource',
  ...{ verb: '', group: '', version: '', resource: '', subresource: '', namespace: '', name: '' },
};

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

export function readRequestInfo({ method, path, query }: ApiRequest): RequestInfo {
  const [root, ...rest] = path.split('/').filter(Boolean).map(decodeSegment);
  const [group, version, ...parts] = root === 'api' ? ['', ...rest] : rest;
  const isResource = (root === 'api' || root === 'apis') && parts.length > 0;
  if (!isResource || group === undefined || version === undefined) {
    return { kind: 'NonResource', verb: method.toLowerCase(), path };
  }
  const [first, second = '', third] = parts;
  // /namespaces/demo and its `status` are the namespace itself; other paths are inside it.
  const inNamespace = first === 'namespaces' && third !== undefined && third !== 'status';
  const [resource = '', name = '', subresource = ''] = inNamespace ? parts.slice(2) : parts;
  const namespace = first === 'namespaces' ? second : '';
  // A list or watch of a single name is authorised for that name, so that RBAC's resourceNames apply.
  const [, selected = ''] = /^metadata\.name==?([^,=!]+)$/.exec(query.get('fieldSelector') ?? '') ?? [];
  return {
    kind: 'Resource',
    verb: verbOf(method, query, name),
    group,
    version,
    resource,
    subresource,
    namespace,
    name: name || (method === 'GET' ? selected : ''),
  };
}

function verbOf(method: string, query: URLSearchParams, name: string): string {
  const verb = verbs[method] ?? '';
  if (name !== '') return verb;
  if (verb === 'get') return isTrue(query.get('watch')) ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

export function isTrue(value: string | null): boolean {
  return value !== null && ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
