import type * as z from 'zod';

/** What is wrong with an input, and where. */
export interface Described {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A problem in words, with its place. For a union, it describes the alternative that comes closest. */
export function describeIssue(
  issue: z.core.$ZodIssue,
  whole: string,
  prefix: readonly PropertyKey[] = [],
): readonly Described[] {
  const path = [...prefix, ...issue.path];
  const where = path.length === 0 ? whole : path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `${where}: unknown field: ${key}`,
    }));
  }
  if (issue.code === 'invalid_union') {
    const nearest = [...issue.errors].sort((a, b) => cost(a) - cost(b))[0];
    const unknown = nearest?.filter(({ code }) => code === 'unrecognized_keys') ?? [];
    const telling = unknown.length > 0 ? unknown : (nearest ?? []);
    if (telling.length > 0) return telling.flatMap((inner) => describeIssue(inner, whole, path));
  }
  return [{ path, message: `${where}: ${inWords(issue)}` }];
}

function inWords({ code, message }: z.core.$ZodIssue): string {
  const isMissing = code === 'invalid_type' && message.endsWith(', received undefined');
  return isMissing
    ? message.replace(/^Invalid input: (.*), received undefined$/, 'it is missing: $1')
    : message;
}

/** How far off an alternative is. Unknown keys weigh the most. */
function cost(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce(
    (sum, { code, path }) => sum + (code === 'unrecognized_keys' ? 100 : 10) - path.length,
    0,
  );
}
