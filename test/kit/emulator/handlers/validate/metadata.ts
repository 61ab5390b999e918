import type { KubeObject, ObjectMeta } from '../../world/objects.ts';
import type { Resource } from '../resources.ts';
import { type FieldProblem, fieldError, invalid } from '../status.ts';

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

/**
 * What is wrong with a name, in the server's words. A prefix is a generateName, which may end with the dash
 * that the generated suffix follows.
 * https://github.com/kubernetes/apimachinery/blob/v0.36.0/pkg/api/validation/generic.go
 */
type NameRule = (name: string, isPrefix?: boolean) => readonly string[];

const subdomain = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** A DNS-1123 subdomain of at most 253 characters. */
const isSubdomain: NameRule = (name, isPrefix = false) => [
  ...tooLong(name, 253),
  ...mismatch(
    withoutDash(name, isPrefix),
    subdomain,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
      'start and end with an alphanumeric character',
    "'example.com'",
  ),
];

/** A DNS-1123 label of at most 63 characters. */
const isLabel: NameRule = (name, isPrefix = false) => [
  ...tooLong(withoutDash(name, isPrefix), 63),
  ...mismatch(
    withoutDash(name, isPrefix),
    label,
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and " +
      'end with an alphanumeric character',
    "'my-name',  or '123-abc'",
  ),
];

/** Anything that can be a segment of a path. */
const isPathSegment: NameRule = (name, isPrefix = false) => {
  if (!isPrefix && ['.', '..'].includes(name)) return [`may not be '${name}'`];
  return ['/', '%'].filter((mark) => name.includes(mark)).map((mark) => `may not contain '${mark}'`);
};

/** A CronJob leaves room for the 11 characters that it adds to the names of its Jobs. */
const isCronJobName: NameRule = (name, isPrefix = false) => [
  ...isSubdomain(name, isPrefix),
  ...(!isPrefix && name.length > 52 ? ['must be no more than 52 characters'] : []),
];

/** The rule for the names of a kind. */
function nameRuleOf({ group, resource }: Resource): NameRule {
  if (group === 'rbac.authorization.k8s.io') return isPathSegment;
  switch (resource) {
    case 'namespaces':
    // Since 1.36, Services need not begin with a letter: https://www.kubernetes.dev/resources/keps/5311/
    case 'services':
      return isLabel;
    case 'cronjobs':
      return isCronJobName;
    default:
      return isSubdomain;
  }
}

function tooLong(value: string, max: number): readonly string[] {
  return value.length > max ? [`must be no more than ${max} bytes`] : [];
}

/** The problem if the value does not match, with examples and the expression. */
function mismatch(value: string, regex: string, rule: string, examples: string): readonly string[] {
  const matches = new RegExp(`^(?:${regex})$`).test(value);
  return matches ? [] : [`${rule} (e.g. ${examples}, regex used for validation is '${regex}')`];
}

/** Go's maskTrailingDash. */
function withoutDash(name: string, isPrefix: boolean): string {
  return isPrefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const rule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const examples = "'MyName',  or 'my.name',  or '123-abc'";

/**
 * What is wrong with the key of a label, an annotation or a finalizer: a name, with or without a DNS prefix.
 * https://github.com/kubernetes/apimachinery/blob/v0.36.0/pkg/util/validation/validation.go
 */
function qualifiedNameProblems(key: string): readonly string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    const [problem = ''] = mismatch('', qualified, rule, examples);
    return [
      `a qualified name ${problem} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const [name = '', prefix] = parts.reverse();
  return [...(prefix === undefined ? [] : prefixProblems(prefix)), ...nameProblems(name)];
}

function prefixProblems(prefix: string): readonly string[] {
  const problems = prefix === '' ? ['must be non-empty'] : isSubdomain(prefix);
  return problems.map((problem) => `prefix part ${problem}`);
}

function nameProblems(name: string): readonly string[] {
  const length = name === '' ? ['must be non-empty'] : tooLong(name, 63);
  return [...length, ...mismatch(name, qualified, rule, examples)].map((problem) => `name part ${problem}`);
}

/** What is wrong with the value of a label. */
function labelValueProblems(value: string): readonly string[] {
  const expected =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must " +
    'start and end with an alphanumeric character';
  return [
    ...tooLong(value, 63),
    ...mismatch(value, `(${qualified})?`, expected, "'MyValue',  or 'my_value',  or '12345'"),
  ];
}
