import type { KubeObject } from '../../world/objects.ts';
import type { Resource } from '../resources.ts';
import { type FieldProblem, fieldError, invalid } from '../status.ts';

const maxAnnotationBytes = 262_144;

export function validateMetadata(resource: Resource, { metadata }: KubeObject): void {
  const { name, generateName = '', namespace = '' } = metadata;
  const ofPrefix = generateName === '' ? [] : nameProblems(resource, generateName, true);
  refuse(resource, name, [
    ...problemsAt('generateName', generateName, ofPrefix),
    ...problemsAt('name', name, nameProblems(resource, name)),
    ...(resource.namespaced ? problemsAt('namespace', namespace, labelProblems(namespace)) : []),
    ...annotationSizeProblems(metadata.annotations),
  ]);
}

/** Validates what an update may change in the metadata. The names of a stored object are kept. */
export function validateMetadataUpdate(resource: Resource, { metadata }: KubeObject): void {
  refuse(resource, metadata.name, annotationSizeProblems(metadata.annotations));
}

function annotationSizeProblems(annotations: Readonly<Record<string, string>> = {}): readonly FieldProblem[] {
  const bytes = Buffer.byteLength(Object.entries(annotations).flat().join(''));
  if (bytes <= maxAnnotationBytes) return [];
  const detail = `may not be more than ${maxAnnotationBytes} bytes`;
  return [fieldError('TooLong', 'metadata.annotations', detail)];
}

function problemsAt(field: string, value: string, problems: readonly string[]): readonly FieldProblem[] {
  return problems.map((problem) =>
    fieldError('Invalid', `metadata.${field}`, `${JSON.stringify(value)}: ${problem}`),
  );
}

function refuse({ kind, group }: Resource, name: string, problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  // An Event of either group is refused as one of the core group, see event-generate-name.json.
  throw invalid(kind, kind === 'Event' ? '' : group, name, problems);
}

/** What is wrong with a name, in the server's words: https://github.com/kubernetes/apimachinery/blob/v0.36.0/pkg/api/validation/generic.go */
function nameProblems({ group, resource }: Resource, name: string, isPrefix = false): readonly string[] {
  // https://kubernetes.io/docs/reference/access-authn-authz/rbac/: also with colons
  if (group === 'rbac.authorization.k8s.io') return [];
  // Go's maskTrailingDash: the generated suffix follows.
  const masked = isPrefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
  return resource === 'namespaces' || resource === 'services'
    ? labelProblems(masked)
    : subdomainProblems(masked);
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

function subdomainProblems(name: string): readonly string[] {
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
    'start and end with an alphanumeric character';
  return mismatch(name, 253, `${label}(\\.${label})*`, `${rule} (e.g. 'example.com', `);
}

function labelProblems(name: string): readonly string[] {
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and " +
    'end with an alphanumeric character';
  return mismatch(name, 63, label, `${rule} (e.g. 'my-name',  or '123-abc', `);
}

function mismatch(value: string, longest: number, regex: string, rule: string): readonly string[] {
  return [
    ...(value.length > longest ? [`must be no more than ${longest} bytes`] : []),
    ...(new RegExp(`^(?:${regex})$`).test(value) ? [] : [`${rule}regex used for validation is '${regex}')`]),
  ];
}
