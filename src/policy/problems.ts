import type * as z from 'zod';
import { didYouMean } from '../nearest.ts';

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

/** A problem in words, with its place. For a union, it describes the alternative that comes closest. */
export function describeIssue(
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
    const nearest = [...issue.errors].sort((a, b) => cost(a) - cost(b))[0];
    const isUnknown = nearest?.some(({ code }) => code === 'unrecognized_keys');
    // What an alternative would need besides is of no use to whoever misspelt its name.
    const telling = (nearest ?? []).filter(
      (inner) => !isUnknown || !(isMissing(inner) && inner.path.length === 1),
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
      return `must be ${values.length > 1 ? `one of ${values.join(', ')}` : values.join()}`;
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

function isMissing({ code, message }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && message.endsWith(', received undefined');
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
