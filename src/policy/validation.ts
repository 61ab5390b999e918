import type * as z from 'zod';
import { stepList } from '../methods/index.ts';
import { bounds } from '../model/bounds.ts';
import { parseJson } from '../util/json.ts';
import { didYouMean } from '../util/text.ts';

export interface InputProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** An input: its name in messages, and the fields that it may have. */
export interface InputKind {
  readonly name: string;
  readonly fields: readonly string[];
}

/** Reads an input by its schema, or describes what is wrong with it. */
export function check<S extends z.ZodType>(schema: S, input: unknown, of: InputKind) {
  // With the input, a missing field can be distinguished from a wrong one.
  const { data, error } = schema.safeParse(input, { reportInput: true });
  if (error === undefined) return { kind: 'Valid', data } as const;
  return { kind: 'Wrong', problems: error.issues.flatMap((issue) => describeIssue(issue, of)) } as const;
}

/** Reads the list of steps in an annotation: JSON, in the format of a policy file. */
export function readSteps(text: string) {
  const bad = (problem: string) => ({ kind: 'Bad', problem }) as const;
  if (Buffer.byteLength(text) > bounds.instructions) return bad(`longer than ${bounds.instructions} bytes`);
  const value = parseJson(text);
  if (value === undefined) return bad('not JSON');
  const parsed = check(stepList, value, { name: 'the list', fields: [] });
  if (parsed.kind === 'Valid') return { kind: 'Steps', steps: parsed.data } as const;
  return bad(`not a list of steps: ${parsed.problems[0]?.message}`);
}

/** A problem in words, with its place. For a union, it describes the alternative that comes closest. */
function describeIssue(
  issue: z.core.$ZodIssue,
  of: InputKind,
  prefix: readonly PropertyKey[] = [],
): readonly InputProblem[] {
  const path = [...prefix, ...issue.path];
  const where = path.length === 0 ? of.name : path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = path.length === 0 ? of.fields : [];
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `${where}: unknown field: ${key}${didYouMean(key, known)}`,
    }));
  }
  if (issue.code === 'invalid_union') {
    const nearest = issue.errors.toSorted((a, b) => distanceOf(a) - distanceOf(b))[0] ?? [];
    const misspelt = nearest
      .filter(({ code }) => code === 'unrecognized_keys')
      .map(({ path }) => path.join());
    // If a field of a map is misspelt, the other fields that the map lacks do not matter.
    const relevant = nearest.filter(
      (inner) => !isMissing(inner) || !misspelt.includes(inner.path.slice(0, -1).join()),
    );
    if (relevant.length > 0) return relevant.flatMap((inner) => describeIssue(inner, of, path));
  }
  return [{ path, message: `${where}: ${isMissing(issue) ? 'is missing' : issue.message}` }];
}

/** How far off an alternative is. Unknown keys weigh the most. */
function distanceOf(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => {
    const weight = issue.code === 'unrecognized_keys' ? 100 * issue.keys.length : 10;
    return sum + weight - issue.path.length;
  }, 0);
}

function isMissing({ code, input }: z.core.$ZodIssue): boolean {
  return (code === 'invalid_type' || code === 'invalid_value') && input === undefined;
}
