/** A JSON object; nothing is known of its fields. */
export type Json = Readonly<Record<string, unknown>>;

/** Parses JSON; undefined for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object, and not a list. */
export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one. */
export function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** The value if it is a list, else an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list. */
export function records(value: unknown): readonly Json[] {
  return list(value).filter(isRecord);
}

/** The strings of a list. */
export function texts(value: unknown): readonly string[] {
  return list(value).filter((item) => typeof item === 'string');
}

/** The value if it is a string. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value if it is a string that is not empty: to Kubernetes, empty mostly means absent. */
export function filled(value: unknown): string | undefined {
  return text(value) || undefined;
}

/** The value if it is a whole number, as all numbers of the Kubernetes API are. */
export function integer(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}
