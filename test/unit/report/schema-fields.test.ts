import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fieldsOf, reportSchemas, type Schema, withFields } from '../../../scripts/report-fields.ts';
import { jsonSchemas } from '../../../src/report/json-schema.ts';

const parts = {
  Outcome: {
    description: 'what became of it',
    oneOf: [
      { properties: { kind: { const: 'Stopped' }, exitCode: { type: 'integer', description: 'the code' } } },
      { properties: { kind: { const: 'Gone' } }, description: 'it is gone' },
    ],
  },
} satisfies Record<string, Schema>;

it('lists the fields of a document with their types, their units and what they mean', () => {
  const schema: Schema = {
    properties: {
      kind: { const: 'Report' },
      waitMs: { type: 'integer', description: 'how long, in milliseconds' },
      at: { type: 'string', format: 'date-time', description: 'when' },
      outcomes: { type: 'array', items: { $ref: '#/$defs/Outcome' } },
      pods: {
        type: 'array',
        description: 'the pods',
        items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
    },
    required: ['kind', 'waitMs', 'outcomes', 'pods'],
  };
  expect(fieldsOf(schema, parts)).toEqual([
    { name: 'waitMs', type: 'integer', meaning: 'how long, in milliseconds' },
    { name: 'at?', type: 'time', meaning: 'when' },
    { name: 'outcomes', type: 'list of [Outcome](#outcome)', meaning: 'what became of it' },
    { name: 'pods', type: 'list of objects', meaning: 'the pods' },
    { name: 'pods[].name', type: 'string', meaning: undefined },
  ]);
  const exitCode = { name: 'exitCode?', type: 'integer', meaning: 'the code' };
  expect(fieldsOf(parts.Outcome, parts)).toEqual([
    { name: 'kind: Stopped', type: '', meaning: undefined, fields: [exitCode] },
    { name: 'kind: Gone', type: '', meaning: 'it is gone', fields: [] },
  ]);
});

it.each(Object.entries(jsonSchemas()))('the schema %s describes each of its fields', (_name, schema) => {
  const { $defs = {}, ...whole } = schema as Schema;
  const all = [['the document', whole] as const, ...Object.entries($defs)];
  const undescribed = all.flatMap(([part, one]) => [
    ...(one.description === undefined ? [part] : []),
    ...fieldsOf(one.items ? (one.items as Schema) : one, $defs)
      .flatMap((field) => [field, ...(field.fields ?? [])])
      .filter(({ meaning }) => meaning === undefined)
      .map(({ name }) => `${part}: ${name}`),
  ]);
  expect(undescribed).toEqual([]);
});

it('docs/reference/fields.md has every field; `npm run schema` writes them', () => {
  const page = readFileSync(new URL('../../../docs/reference/fields.md', import.meta.url), 'utf8');
  expect(withFields(page, reportSchemas())).toBe(page);
});
