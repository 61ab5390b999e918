import { apiVersionOf, createdOnly, type Resource, resources, served } from './resources.ts';

const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

/** The recorded answer to `GET /version`. */
export const version = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.2',
  gitCommit: '$Format:%H$',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.26.10',
  compiler: 'gc',
  platform: 'linux/amd64',
};

export const apiVersions = {
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
};

export function apiGroupList(): object {
  const groups = [...new Set(served.map(({ group }) => group))].filter(Boolean);
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupOf) };
}

export function apiGroup(group: string): object | undefined {
  if (!served.some((each) => each.group === group)) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group) };
}

function groupOf(name: string) {
  const versions = [
    ...new Set(served.filter(({ group }) => group === name).map(({ version }) => version)),
  ].map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

export function apiResourceList(group: string, groupVersion: string): object | undefined {
  const members = served.filter((each) => each.group === group && each.version === groupVersion);
  const [first] = members;
  if (!first) return undefined;
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf(first),
    resources: members.flatMap(resourceEntries),
  };
}

function resourceEntries(resource: Resource): object[] {
  const { namespaced, kind, shortNames } = resource;
  return [
    {
      name: resource.resource,
      singularName: kind.toLowerCase(),
      namespaced,
      kind,
      verbs: createdOnly.includes(resource) ? ['create'] : verbs,
      ...(shortNames.length > 0 ? { shortNames } : {}),
    },
    ...resource.subresources.map((subresource) => ({
      name: `${resource.resource}/${subresource.name}`,
      singularName: '',
      namespaced,
      ...(subresource.group === undefined ? {} : { group: subresource.group, version: subresource.version }),
      kind: subresource.kind,
      verbs: subresource.verbs,
    })),
  ];
}

/**
 * Just enough OpenAPI v3 for kubectl: before it creates or applies an object, it checks whether PATCH of that
 * kind supports `fieldValidation`. If so, it leaves validation to the server.
 */
export function openApiRoot(): object {
  const roots = [...new Set(resources.map(rootOf))];
  return {
    paths: Object.fromEntries(roots.map((root) => [root, { serverRelativeURL: `/openapi/v3/${root}` }])),
  };
}

export function openApiDocument(root: string): object | undefined {
  const members = resources.filter((each) => rootOf(each) === root);
  if (members.length === 0) return undefined;
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36.2' },
    paths: Object.fromEntries(members.map((each) => [pathOf(each), { patch: patchOperation(each) }])),
    components: { schemas: {} },
  };
}

function rootOf(resource: Resource): string {
  return `${resource.group === '' ? 'api' : 'apis'}/${apiVersionOf(resource)}`;
}

function pathOf(resource: Resource): string {
  const scope = resource.namespaced ? '/namespaces/{namespace}' : '';
  return `/${rootOf(resource)}${scope}/${resource.resource}/{name}`;
}

function patchOperation({ group, version, kind }: Resource): object {
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  }));
  return {
    parameters,
    responses: {},
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}
