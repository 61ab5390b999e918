import { apiVersionOf, type Resource, resources } from './resources.ts';

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
