import * as z from 'zod';

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/**
 * The type that a schema describes, deeply readonly. Types that appear in JSON reports are inferred from their
 * schemas, so that the two cannot differ.
 */
export type Value<S extends z.ZodType> = DeepReadonly<z.infer<S>>;

/** One kind of a closed union: its name, its meaning in JSON schemas, and its other fields. */
export function kind<const K extends string, F extends z.ZodRawShape = Record<never, never>>(
  name: K,
  meaning: string,
  fields?: F,
) {
  return z.object({ kind: z.literal(name), ...(fields as F) }).describe(meaning);
}

/** Fields that many documents have, each with what it means wherever it occurs. */
export const key = z.string().describe('the name of the annotation');
export const container = z.string().describe('the name of the container');
export const image = z.string().describe('the image, as the pod names it');
export const message = z.string().describe('what happened, in one line for people');
export const problem = z.string().describe('what is wrong, in one line for people');
export const exitCode = z.int().describe('the exit code');
export const namespace = z.string().describe('the namespace');
export const method = z.string().describe('the method, as listed in docs/how-it-works.md');
export const milliseconds = z.int().nonnegative();
