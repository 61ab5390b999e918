import * as z from 'zod';

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** The type of a schema, deeply readonly. Those of reports are inferred, so that type and schema cannot differ. */
export type Value<S extends z.ZodType> = DeepReadonly<z.infer<S>>;

/** One kind of a closed union, with its meaning in docs/reasons.md: its name and its other fields. */
export function reason<const K extends string, F extends z.ZodRawShape = Record<never, never>>(
  name: K,
  fields?: F,
) {
  return z.object({ kind: z.literal(name), ...(fields as F) });
}

/** One kind of a closed union: its name, its meaning in JSON schemas, and its other fields. */
export function kind<const K extends string, F extends z.ZodRawShape = Record<never, never>>(
  name: K,
  meaning: string,
  fields?: F,
) {
  return reason(name, fields).describe(meaning);
}

/** Schemas that begin with what their values mean. */
export const text = (meaning: string) => z.string().describe(meaning);
export const texts = (meaning: string) => z.array(z.string()).describe(meaning);
export const whole = (meaning: string) => z.int().describe(meaning);
export const list = <T extends z.ZodType>(meaning: string, item: T) => z.array(item).describe(meaning);
export const object = <F extends z.ZodRawShape>(meaning: string, fields: F) =>
  z.object(fields).describe(meaning);
export const union = <
  const T extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(
  meaning: string,
  kinds: T,
) => z.discriminatedUnion('kind', kinds).describe(meaning);

/** Fields that many documents have, each with what it means wherever it occurs. */
export const key = text('the name of the annotation');
export const container = text('the name of the container');
export const image = text('the image, as the pod names it');
export const message = text('what happened, in one line for people');
export const problem = text('what is wrong, in one line for people');
export const exitCode = whole('the exit code');
export const namespace = text('the namespace');
export const method = text('the method, as listed in docs/how-it-works.md');
export const milliseconds = z.int().nonnegative();
