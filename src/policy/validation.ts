import type * as z from 'zod';
import { type StepSpec, stepList } from '../methods/index.ts';
import { bounds } from '../model/bounds.ts';
import { didYouMean } from '../util/text.ts';

/** What is wrong with an input, and where. */
export interface Described {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What is read: its name, and the fields that it may have. */
export interface Whole {
  readonly name: string;
  readonly fields: readonly string[];
}

export type Checked<T> =
  | { readonly kind: 'Valid'; readonly data: T }
  | { readonly kind: 'Wrong'; readonly problems: readonly Described[] };

/** Reads an input by its schema, or says in words what is wrong with it. */
export function check<S extends z.ZodType>(schema: S, input: unknown, whole: Whole): Checked<z.output<S>> {
  // With the input, a field that is missing can be told from one that is wrong.
  const { data, error } = schema.safeParse(input, { reportInput: true });
  if (error === undefined) return { kind: 'Valid', data };
  return { kind: 'Wrong', problems: error.issues.flatMap((issue) => describeIssue(issue, whole)) };
}

/** A problem in words, with its place. For a union, it describes the alternative that comes closest. */
function describeIssue(
  issue: z.core.$ZodIssue,
  whole: Whole,
  prefix: readonly PropertyKey[] = [],
): readonly Described[] {
  const path = [...prefix, ...issue.path];
  const where = path.length === 0 ? whole.name : path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = path.length === 0 ? whole.fields : [];
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `${where}: unknown field: ${key}${didYouMean(key, known)}`,
    }));
  }
  if (issue.code === 'invalid_union') {
    const nearest = [...issue.errors].sort((a, b) => cost(a) - cost(b))[0] ?? [];
    const misspelt = nearest
      .filter(({ code }) => code === 'unrecognized_keys')
      .map(({ path }) => path.join());
    // What a map would need besides is of no use to whoever misspelt a field of it.
    const telling = nearest.filter(
      (inner) => !isMissing(inner) || !misspelt.includes(inner.path.slice(0, -1).join()),
    );
    if (telling.length > 0) return telling.flatMap((inner) => describeIssue(inner, whole, path));
  }
  return [{ path, message: `${where}: ${inWords(issue)}` }];
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'a map',
  record: 'a map',
  string: 'a string',
};

function inWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const kind = kinds[issue.expected];
      // What a schema says of its own is worded there.
      if (kind === undefined || !issue.message.startsWith('Invalid input: ')) return issue.message;
      return isMissing(issue) ? `is missing: write ${kind}` : `must be ${kind}`;
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      const wanted = values.length > 1 ? `one of ${values.join(', ')}` : values.join();
      return isMissing(issue) ? `is missing: write ${wanted}` : `must be ${wanted}`;
    }
    case 'too_small':
      return mustHave(issue.origin, `at least ${issue.minimum}`);
    case 'too_big':
      return mustHave(issue.origin, `at most ${issue.maximum}`);
    case 'invalid_union':
    case 'invalid_format':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return issue.message;
  }
}

function isMissing({ code, input }: z.core.$ZodIssue): boolean {
  return (code === 'invalid_type' || code === 'invalid_value') && input === undefined;
}

function mustHave(origin: string, bound: string): string {
  if (origin === 'string')
    return bound === 'at least 1' ? 'must not be empty' : `must have ${bound} characters`;
  if (origin === 'array') return bound === 'at least 1' ? 'must not be empty' : `must have ${bound} entries`;
  return `must be ${bound}`;
}

/** How far off an alternative is. Unknown keys weigh the most. */
function cost(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => {
    const weight = issue.code === 'unrecognized_keys' ? 100 * issue.keys.length : 10;
    return sum + weight - issue.path.length;
  }, 0);
}

export type ReadSteps =
  | { readonly kind: 'Steps'; readonly steps: readonly StepSpec[] }
  | { readonly kind: 'Bad'; readonly problem: string };

/** Reads the list of steps in an annotation: JSON, in the format of a policy file. */
export function readSteps(text: string): ReadSteps {
  if (Buffer.byteLength(text) > bounds.instructions) {
    return { kind: 'Bad', problem: `longer than ${bounds.instructions} bytes` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'Bad', problem: 'not JSON' };
  }
  const parsed = check(stepList, value, { name: 'the list', fields: [] });
  if (parsed.kind === 'Valid') return { kind: 'Steps', steps: parsed.data };
  return { kind: 'Bad', problem: `not a list of steps: ${parsed.problems[0]?.message ?? 'unreadable'}` };
}
