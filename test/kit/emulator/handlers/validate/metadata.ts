import type { KubeObject, ObjectMeta } from '../../world/objects.ts';
import type { Resource } from '../resources.ts';
import { type FieldProblem, invalid } from '../status.ts';
import { isLabel, nameRuleOf } from './names.ts';
import { labelValueProblems, qualifiedNameProblems } from './qualified-name.ts';

const maxAnnotationBytes = 262_144;

/** Validates the metadata of a new object of any kind. */
export function validateMetadata(resource: Resource, { metadata }: KubeObject): void {
  const { name, generateName = '', namespace = '' } = metadata;
  const rule = nameRuleOf(resource);
  refuse(resource, name, [
    ...(generateName === '' ? [] : problemsAt('generateName', generateName, rule(generateName, true))),
    ...problemsAt('name', name, rule(name)),
    ...(resource.namespaced ? problemsAt('namespace', namespace, isLabel(namespace)) : []),
    ...mutableProblems(metadata),
  ]);
}

/** Validates what an update may change in the metadata. The names of a stored object are kept. */
export function validateMetadataUpdate(resource: Resource, { metadata }: KubeObject): void {
  refuse(resource, metadata.name, mutableProblems(metadata));
}

function mutableProblems({ labels, annotations, finalizers }: ObjectMeta): readonly FieldProblem[] {
  const values = Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...problemsAt('labels', key, qualifiedNameProblems(key)),
    ...problemsAt('labels', value, labelValueProblems(value)),
  ]);
  const keys = Object.keys(annotations ?? {}).flatMap((key) =>
    // Annotations may have upper-case letters in their prefix, for old clients' sake.
    problemsAt('annotations', key, qualifiedNameProblems(key.toLowerCase())),
  );
  const held = (finalizers ?? []).flatMap((each) =>
    problemsAt('finalizers', each, qualifiedNameProblems(each)),
  );
  return [...values, ...keys, ...annotationSizeProblems(annotations ?? {}), ...held];
}

function annotationSizeProblems(annotations: Readonly<Record<string, string>>): readonly FieldProblem[] {
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes <= maxAnnotationBytes) return [];
  const message = `Too long: may not be more than ${maxAnnotationBytes} bytes`;
  return [{ field: 'metadata.annotations', reason: 'FieldValueTooLong', message }];
}

function problemsAt(field: string, value: string, problems: readonly string[]): readonly FieldProblem[] {
  return problems.map((problem) => ({
    field: `metadata.${field}`,
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(value)}: ${problem}`,
  }));
}

function refuse({ kind, group }: Resource, name: string, problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  // An Event of either group is refused as one of the core group, see event-generate-name.json.
  throw invalid(kind, kind === 'Event' ? '' : group, name, problems);
}
