import type { ApiRequest } from './answer.ts';

export interface Resource {
  readonly group: string;
  readonly version: string;
  /** The plural name, as in paths. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
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

const status = (kind: string): Subresource => ({ name: 'status', kind, verbs: ['get', 'patch', 'update'] });

interface Extras {
  readonly clusterScoped?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly Subresource[];
}

function define(groupVersion: string, resource: string, kind: string, extras: Extras = {}): Resource {
  const [group, version] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
  return {
    group: group ?? '',
    version: version ?? '',
    resource,
    singular: kind.toLowerCase(),
    kind,
    namespaced: !extras.clusterScoped,
    shortNames: extras.shortNames ?? [],
    categories: extras.categories ?? [],
    subresources: extras.subresources ?? [],
  };
}

const podSubresources: readonly Subresource[] = [
  status('Pod'),
  { name: 'binding', kind: 'Binding', verbs: ['create'] },
  { name: 'ephemeralcontainers', kind: 'Pod', verbs: ['get', 'patch', 'update'] },
  { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
  { name: 'exec', kind: 'PodExecOptions', verbs: ['create', 'get'] },
  { name: 'log', kind: 'Pod', verbs: ['get'] },
  { name: 'portforward', kind: 'PodPortForwardOptions', verbs: ['create', 'get'] },
  { name: 'resize', kind: 'Pod', verbs: ['get', 'patch', 'update'] },
];

const all = { categories: ['all'] };

/** The path of bindings from before pods had subresources. It stores nothing. */
const bindings = define('v1', 'bindings', 'Binding');

export const resources: readonly Resource[] = [
  define('v1', 'pods', 'Pod', { shortNames: ['po'], ...all, subresources: podSubresources }),
  bindings,
  define('v1', 'events', 'Event', { shortNames: ['ev'] }),
  define('v1', 'namespaces', 'Namespace', {
    clusterScoped: true,
    shortNames: ['ns'],
    subresources: [status('Namespace')],
  }),
  define('v1', 'nodes', 'Node', { clusterScoped: true, shortNames: ['no'], subresources: [status('Node')] }),
  define('v1', 'serviceaccounts', 'ServiceAccount', { shortNames: ['sa'] }),
  define('v1', 'configmaps', 'ConfigMap', { shortNames: ['cm'] }),
  define('v1', 'secrets', 'Secret'),
  define('v1', 'services', 'Service', { shortNames: ['svc'], ...all }),
  define('batch/v1', 'jobs', 'Job', { ...all, subresources: [status('Job')] }),
  define('batch/v1', 'cronjobs', 'CronJob', {
    shortNames: ['cj'],
    ...all,
    subresources: [status('CronJob')],
  }),
  define('apps/v1', 'deployments', 'Deployment', { shortNames: ['deploy'], ...all }),
  define('apps/v1', 'replicasets', 'ReplicaSet', { shortNames: ['rs'], ...all }),
  define('apps/v1', 'statefulsets', 'StatefulSet', { shortNames: ['sts'], ...all }),
  define('apps/v1', 'daemonsets', 'DaemonSet', { shortNames: ['ds'], ...all }),
  define('events.k8s.io/v1', 'events', 'Event', { shortNames: ['ev'] }),
  define('coordination.k8s.io/v1', 'leases', 'Lease'),
  define('policy/v1', 'poddisruptionbudgets', 'PodDisruptionBudget', {
    shortNames: ['pdb'],
    subresources: [status('PodDisruptionBudget')],
  }),
  define('networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy', { shortNames: ['netpol'] }),
  define('rbac.authorization.k8s.io/v1', 'roles', 'Role'),
  define('rbac.authorization.k8s.io/v1', 'rolebindings', 'RoleBinding'),
  define('rbac.authorization.k8s.io/v1', 'clusterroles', 'ClusterRole', { clusterScoped: true }),
  define('rbac.authorization.k8s.io/v1', 'clusterrolebindings', 'ClusterRoleBinding', {
    clusterScoped: true,
  }),
  define('admissionregistration.k8s.io/v1', 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy', {
    clusterScoped: true,
  }),
  define(
    'admissionregistration.k8s.io/v1',
    'validatingadmissionpolicybindings',
    'ValidatingAdmissionPolicyBinding',
    { clusterScoped: true },
  ),
  define('admissionregistration.k8s.io/v1', 'mutatingadmissionpolicies', 'MutatingAdmissionPolicy', {
    clusterScoped: true,
  }),
  define(
    'admissionregistration.k8s.io/v1',
    'mutatingadmissionpolicybindings',
    'MutatingAdmissionPolicyBinding',
    { clusterScoped: true },
  ),
];

/** Resources that are answered at once and never stored. */
export const reviews: readonly Resource[] = [
  define('authorization.k8s.io/v1', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview', {
    clusterScoped: true,
  }),
];

/** What can only be created. */
export const createdOnly: readonly Resource[] = [bindings, ...reviews];

export function findResource(group: string, version: string, resource: string): Resource | undefined {
  return [...resources, ...reviews].find(
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

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Reads the verb, group, resource, namespace and name from a request's path and query. */
export function readRequestInfo(request: Pick<ApiRequest, 'method' | 'path' | 'query'>): RequestInfo {
  const parts = request.path.split('/').filter(Boolean).map(decodeSegment);
  const [root, ...rest] = parts;
  const [group, version, ...resourceParts] = root === 'api' ? ['', ...rest] : rest;
  const isResource = (root === 'api' || root === 'apis') && resourceParts.length > 0;
  if (!isResource || group === undefined || version === undefined) {
    return { kind: 'NonResource', verb: request.method.toLowerCase(), path: request.path };
  }
  const { namespace, resource, name, subresource } = readResourceParts(resourceParts);
  return {
    kind: 'Resource',
    verb: verbOf(request, name),
    group,
    version,
    resource,
    subresource,
    namespace,
    name: name || nameOfFieldSelector(request),
  };
}

function readResourceParts(parts: readonly string[]) {
  const [first = '', second = '', third] = parts;
  // /namespaces/demo, its `status` and its `finalize` are the namespace itself; other paths are inside it.
  const inNamespace =
    first === 'namespaces' && third !== undefined && !['status', 'finalize'].includes(third);
  const [resource = '', name = '', subresource = ''] = inNamespace ? parts.slice(2) : parts;
  const namespace = first === 'namespaces' ? second : '';
  return { namespace, resource, name, subresource };
}

function verbOf(request: Pick<ApiRequest, 'method' | 'query'>, name: string): string {
  const verb = verbs[request.method] ?? '';
  if (name !== '') return verb;
  if (verb === 'get') return isTrue(request.query.get('watch')) ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

/** A list or watch of a single name is authorised for that name, so that RBAC's resourceNames apply. */
function nameOfFieldSelector(request: Pick<ApiRequest, 'method' | 'query'>): string {
  if (request.method !== 'GET') return '';
  return /^metadata\.name==?([^,=!]+)$/.exec(request.query.get('fieldSelector') ?? '')?.[1] ?? '';
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
