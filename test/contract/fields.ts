import type * as z from 'zod';

export type Schema = z.core.JSONSchema.BaseSchema;
/** What has a name of its own. */
export type Parts = Readonly<Record<string, Schema>>;

/** A field of a document, or one kind of a union. */
export interface Field {
  /** `pods[].outcome`; for a kind of a union `kind: Stopped`, and then the fields that it has. */
  readonly name: string;
  readonly type: string;
  /** Missing if nobody has described it. */
  readonly meaning: string | undefined;
}

/** Everything that an object or a union may contain, in order; what has a name of its own is described under that. */
export function fieldsOf(schema: Schema, parts: Parts, prefix = ''): readonly Field[] {
  const kinds = kindsOf(schema);
  if (kinds) return kinds.flatMap((kind) => fieldsOfKind(kind, parts, prefix));
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const property = asSchema(one);
    // What is always the same tells documents apart.
    if (property.const !== undefined && (name === 'kind' || name === 'apiVersion')) return [];
    const mark = schema.required?.includes(name) ? '' : '?';
    const path = `${prefix}${name}`;
    const type = describeType(property, parts);
    const own = { name: `${path}${mark}`, type, meaning: meaningOf(property, parts) };
    return [own, ...fieldsWithin(property, parts, path)];
  });
}

/** The fields of an object, or of each object in a list, that is written out in place. */
function fieldsWithin(property: Schema, parts: Parts, path: string): readonly Field[] {
  if (property.items) return fieldsWithin(asSchema(property.items), parts, `${path}[]`);
  return property.properties || kindsOf(property) ? fieldsOf(property, parts, `${path}.`) : [];
}

/** One kind of a union of objects, and what comes with it. */
function fieldsOfKind(kind: Schema, parts: Parts, prefix: string): readonly Field[] {
  const tag = tagOf(kind);
  if (!tag) return fieldsOf(kind, parts, prefix);
  const own = { name: `${prefix}${tag.name}: ${tag.value}`, type: '', meaning: kind.description };
  const { [tag.name]: _tag, ...properties } = kind.properties ?? {};
  return [own, ...fieldsOf({ ...kind, properties }, parts, prefix)];
}

/** The field by which the kinds of a union are told apart. */
function tagOf({ properties = {} }: Schema): { readonly name: string; readonly value: string } | undefined {
  for (const name of ['kind', 'role']) {
    const { const: only, enum: several } = asSchema(properties[name]);
    if (only !== undefined) return { name, value: String(only) };
    if (several) return { name, value: several.join(', ') };
  }
  return undefined;
}

/** The kinds of a union of objects. */
function kindsOf({ oneOf, anyOf }: Schema): readonly Schema[] | undefined {
  const kinds = (oneOf ?? anyOf)?.map(asSchema);
  return kinds?.some(({ properties }) => properties) ? kinds : undefined;
}

function meaningOf(schema: Schema, parts: Parts): string | undefined {
  const own = schema.description ?? partOf(schema, parts)?.part.description;
  return own ?? (schema.items ? meaningOf(asSchema(schema.items), parts) : undefined);
}

/** The type of a field in a few words, with a link to what has a name of its own. */
function describeType(schema: Schema, parts: Parts): string {
  const named = partOf(schema, parts);
  if (named) return named.part.items ? `list of ${link(named.name)}` : link(named.name);
  if (schema.items) return `list of ${plural(describeType(asSchema(schema.items), parts))}`;
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (typeof schema.additionalProperties === 'object') {
    return `${plural(describeType(schema.additionalProperties, parts))} by name`;
  }
  if (kindsOf(schema)) return 'object';
  if (schema.format === 'date-time') return 'time';
  return String(schema.type ?? 'any value');
}

function plural(type: string): string {
  return /^\w+$/.test(type) ? `${type}s` : type;
}

function link(name: string): string {
  return `[${name}](#${name.toLowerCase()})`;
}

function partOf({ $ref }: Schema, parts: Parts) {
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : '';
  const part = parts[name];
  return part && { name, part };
}

/** JSON Schema allows true in place of a schema, and means anything. */
export function asSchema(schema: unknown): Schema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? (schema as Schema) : {};
}
