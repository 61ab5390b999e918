import type * as z from 'zod';
import { jsonSchemas } from '../src/report/json-schema.ts';
import { fillMark } from './marks.ts';

export type Schema = z.core.JSONSchema.BaseSchema;
/** The parts of a document that have a name of their own. */
type Parts = Readonly<Record<string, Schema>>;

/** A field of a document, or one kind of a union. */
interface Field {
  /** `pods[].outcome`; for a kind of a union `kind: Stopped`. */
  readonly name: string;
  readonly type: string;
  /** Missing if the schema has no description. */
  readonly meaning: string | undefined;
  /** Of a kind of a union: what comes with it. */
  readonly fields?: readonly Field[];
}

/** Everything that an object or a union may contain, in order; named parts are described under their names. */
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
  const { [tag.name]: _tag, ...properties } = kind.properties ?? {};
  const fields = fieldsOf({ ...kind, properties }, parts);
  return [{ name: `${prefix}${tag.name}: ${tag.value}`, type: '', meaning: kind.description, fields }];
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

/** JSON Schema allows `true` in place of a schema. */
function asSchema(schema: unknown): Schema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? (schema as Schema) : {};
}

/** The schemas of the documents that the program prints. */
export function reportSchemas(): readonly Schema[] {
  const { 'sweep-policy': _policy, ...printed } = jsonSchemas();
  return Object.values(printed) as readonly Schema[];
}

/** A page with its generated part replaced. */
export function withFields(page: string, schemas: readonly Schema[]): string {
  return fillMark(page, 'fields', `\n${renderFields(schemas)}\n`);
}

/** Every field of these documents: a table for each document, then one for each part that has a name. */
function renderFields(schemas: readonly Schema[]): string {
  const parts: Parts = Object.assign({}, ...schemas.map(({ $defs }) => $defs));
  const documents = schemas.map((schema) => renderTable(String(schema.title), schema, parts));
  const named = Object.entries(parts)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, part]) => renderTable(name, part, parts));
  return [...documents, ...named].join('\n\n');
}

function renderTable(name: string, schema: Schema, parts: Parts): string {
  const heading = `### ${name}\n\n${sentence(schema.description ?? '')}`;
  if (schema.enum) return `${heading}\n\nOne of ${schema.enum.map((value) => `\`${value}\``).join(', ')}.`;
  const rows = fieldsOf(schema.items ? asSchema(schema.items) : schema, parts).map(renderField);
  return [heading, '', '| field | type | meaning |', '|---|---|---|', ...rows].join('\n');
}

function renderField({ name, type, meaning = '', fields = [] }: Field): string {
  const within = fields.map((one) => `\`${one.name}\` (${one.type}): ${escaped(one.meaning ?? '')}`);
  return `| \`${name}\` | ${type}${within.join('<br>')} | ${escaped(meaning)} |`;
}

function sentence(text: string): string {
  return `${escaped(text.charAt(0).toUpperCase() + text.slice(1))}.`;
}

/** Text that Markdown shows as it is. */
function escaped(text: string): string {
  return text.replace(/[|<]/g, '\\$&');
}
