import type * as z from 'zod';

type Schema = z.core.JSONSchema.BaseSchema;

/** The declaration of the type that a schema describes, with what its fields mean. */
export function declareType(name: string, schema: Schema): string {
  return `${comment(schema, '')}export type ${name} = ${typeOf(schema, '')};`;
}

/** The type that a schema describes. What has a name of its own is declared under that. */
export function typeOf(schema: Schema, indent: string): string {
  const { $ref, const: only, enum: several, oneOf, anyOf = oneOf, items, properties } = schema;
  if (typeof $ref === 'string') return $ref.replace('#/$defs/', '');
  if (only !== undefined) return JSON.stringify(only);
  if (several) return several.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf) return anyOf.map((one) => `\n${indent}  | ${typeOf(asSchema(one), `${indent}    `)}`).join('');
  if (items) return `readonly ${listed(typeOf(asSchema(items), indent))}[]`;
  if (properties) return objectOf(schema, indent);
  if (schema.additionalProperties) {
    return `{ readonly [name: string]: ${typeOf(asSchema(schema.additionalProperties), indent)} }`;
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case undefined:
      return 'unknown';
    default:
      throw new Error(`no type stands for ${JSON.stringify(schema)}`);
  }
}

/** A type as that of a list's items. */
function listed(type: string): string {
  return /^(?:\w+|\{[\s\S]*\})$/.test(type) ? type : `(${type})`;
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, one]) => {
    const property = asSchema(one);
    const mark = required.includes(name) ? '' : '?';
    return `${comment(property, inner)}${inner}readonly ${name}${mark}: ${typeOf(property, inner)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

function comment({ description }: Schema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n`;
}

function asSchema(schema: unknown): Schema {
  return typeof schema === 'object' && schema !== null ? (schema as Schema) : {};
}
