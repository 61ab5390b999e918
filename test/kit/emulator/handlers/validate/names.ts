import type { Resource } from '../resources.ts';

/**
 * What is wrong with a name, in the server's words. A prefix is a generateName, which may end with the dash
 * that the generated suffix follows.
 * https://github.com/kubernetes/apimachinery/blob/v0.36.0/pkg/api/validation/generic.go
 */
export type NameRule = (name: string, isPrefix?: boolean) => readonly string[];

const subdomain = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** A DNS-1123 subdomain of at most 253 characters. */
export const isSubdomain: NameRule = (name, isPrefix = false) => [
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
export const isLabel: NameRule = (name, isPrefix = false) => [
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
export function nameRuleOf({ group, resource }: Resource): NameRule {
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

export function tooLong(value: string, max: number): readonly string[] {
  return value.length > max ? [`must be no more than ${max} bytes`] : [];
}

/** The problem if the value does not match, with examples and the expression. */
export function mismatch(value: string, regex: string, rule: string, examples: string): readonly string[] {
  const matches = new RegExp(`^(?:${regex})$`).test(value);
  return matches ? [] : [`${rule} (e.g. ${examples}, regex used for validation is '${regex}')`];
}

/** Go's maskTrailingDash. */
function withoutDash(name: string, isPrefix: boolean): string {
  return isPrefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
