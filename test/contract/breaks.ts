import { asSchema, type Parts, type Schema } from './fields.ts';

/** Who relies on a contract: whoever reads what the program writes, or whoever writes what it reads. */
export type Side = 'Readers' | 'Writers';

/** A schema and what its references mean. */
interface Version {
  readonly schema: Schema;
  readonly parts: Parts;
}

/**
 * How a schema breaks the contract that an earlier one was: one line for each place. More fields, kinds and values break nothing,
 * because readers are told to expect them.
 */
export function breaksOf(earlier: Schema, later: Schema, side: Side): readonly string[] {
  const before = { schema: earlier, parts: partsOf(earlier) };
  const after = { schema: later, parts: partsOf(later) };
  return breaks(before, after, side, '');
}

function breaks(before: Version, after: Version, side: Side, path: string): readonly string[] {
  const old = resolve(before);
  const now = resolve(after);
  const at = path === '' ? 'the document' : path;
  const inner = (a: unknown, b: unknown, place: string) =>
    breaks({ ...before, schema: asSchema(a) }, { ...after, schema: asSchema(b) }, side, place);

  const oldKinds = old.oneOf ?? old.anyOf;
  const newKinds = now.oneOf ?? now.anyOf;
  if (oldKinds || newKinds) {
    const kinds = new Map((newKinds ?? [now]).map((kind) => [labelOf(asSchema(kind)), kind]));
    return (oldKinds ?? [old]).flatMap((kind) => {
      const label = labelOf(asSchema(kind));
      return kinds.has(label)
        ? inner(kind, kinds.get(label), `${path}<${label}>`)
        : [`${at}: ${label} is gone`];
    });
  }
  if (old.type !== now.type && !isPartOf(old, now, side)) {
    return [`${at}: ${old.type ?? 'anything'} has become ${now.type ?? 'anything'}`];
  }
  return [
    ...goneValues(old, now, side).map((value) => `${at}: ${value} is gone`),
    ...changedBounds(old, now, side).map((bound) => `${at}: its ${bound} has changed`),
    ...missingFields(old, now, side).map((field) => `${at}: ${field}`),
    ...Object.entries(old.properties ?? {}).flatMap(([name, property]) => {
      const later = now.properties?.[name];
      return later === undefined ? [] : inner(property, later, path === '' ? name : `${path}.${name}`);
    }),
    ...(old.items && now.items ? inner(old.items, now.items, `${path}[]`) : []),
    ...(typeof old.additionalProperties === 'object' && typeof now.additionalProperties === 'object'
      ? inner(old.additionalProperties, now.additionalProperties, `${path}.*`)
      : []),
  ];
}

/** Whoever reads numbers can read integers, and whoever writes integers may go on where numbers are read. */
function isPartOf(old: Schema, now: Schema, side: Side): boolean {
  const [narrow, wide] = side === 'Readers' ? [now, old] : [old, now];
  return narrow.type === 'integer' && wide.type === 'number';
}

function goneValues(old: Schema, now: Schema, side: Side): readonly string[] {
  const had = valuesOf(old);
  const left = valuesOf(now);
  if (!left) return [];
  if (!had) return side === 'Writers' ? [`any value but ${left.join(', ')}`] : [];
  return had.filter((value) => !left.includes(value)).map((value) => `the value ${value}`);
}

/** Undefined if any value of the type may come. */
function valuesOf({ const: only, enum: several }: Schema): readonly unknown[] | undefined {
  return only === undefined ? several : [only];
}

/** Readers rely on the bounds of what they get; writers need as much room as they had. */
function changedBounds(old: Schema, now: Schema, side: Side): readonly string[] {
  const [loose, strict] = side === 'Readers' ? [old, now] : [now, old];
  const changed = ['format', 'pattern'].filter(
    (bound) => loose[bound] !== undefined && loose[bound] !== strict[bound],
  );
  const lowest = ['minimum', 'minLength', 'minItems'].filter(
    (bound) => Number(loose[bound] ?? -Infinity) > Number(strict[bound] ?? -Infinity),
  );
  const most = ['maximum', 'maxLength', 'maxItems'].filter(
    (bound) => Number(loose[bound] ?? Infinity) < Number(strict[bound] ?? Infinity),
  );
  return [...changed, ...lowest, ...most];
}

function missingFields(old: Schema, now: Schema, side: Side): readonly string[] {
  const had = Object.keys(old.properties ?? {});
  const gone = had.filter((name) => now.properties?.[name] === undefined).map((name) => `${name} is gone`);
  const [needed, given] = side === 'Readers' ? [old, now] : [now, old];
  const may = side === 'Readers' ? 'may be missing' : 'must be written';
  const unsure = (needed.required ?? [])
    .filter((name) => now.properties?.[name] !== undefined && !given.required?.includes(name))
    .map((name) => `${name} ${may}`);
  return [...gone, ...unsure];
}

/** What tells a kind of a union from the others: its tag, what it must have, or its type. */
function labelOf(schema: Schema): string {
  const { kind, role } = schema.properties ?? {};
  const { const: only, enum: several } = asSchema(kind ?? role);
  if (only !== undefined) return String(only);
  if (several) return several.join('|');
  if (typeof schema.$ref === 'string') return schema.$ref;
  return schema.required?.[0] ?? String(schema.type);
}

function resolve({ schema, parts }: Version): Schema {
  const { $ref, ...own } = schema;
  return typeof $ref === 'string' ? { ...parts[$ref.replace('#/$defs/', '')], ...own } : schema;
}

function partsOf({ $defs }: Schema): Parts {
  return Object.fromEntries(Object.entries($defs ?? {}).map(([name, part]) => [name, asSchema(part)]));
}
