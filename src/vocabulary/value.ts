import type * as z from 'zod';

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/**
 * The type that a schema describes, deeply readonly. Types that appear in JSON reports are inferred from their
 * schemas, so that the two cannot differ.
 */
export type Value<S extends z.ZodType> = DeepReadonly<z.infer<S>>;
