import { isSubdomain, mismatch, tooLong } from './names.ts';

const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const rule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const examples = "'MyName',  or 'my.name',  or '123-abc'";

/**
 * What is wrong with the key of a label, an annotation or a finalizer: a name, with or without a DNS prefix.
 * https://github.com/kubernetes/apimachinery/blob/v0.36.0/pkg/util/validation/validation.go
 */
export function qualifiedNameProblems(key: string): readonly string[] {
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
export function labelValueProblems(value: string): readonly string[] {
  const expected =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must " +
    'start and end with an alphanumeric character';
  return [
    ...tooLong(value, 63),
    ...mismatch(value, `(${qualified})?`, expected, "'MyValue',  or 'my_value',  or '12345'"),
  ];
}
