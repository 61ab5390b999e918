import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { jsonSchemas } from '../../../src/report/json-schema.ts';
import { reportSchemas } from '../../contract/documents.ts';
import { fieldsOf, type Schema } from '../../contract/fields.ts';
import { withFields } from '../../contract/page.ts';

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
  expect(fieldsOf(parts.Outcome, parts).map(({ name, meaning }) => [name, meaning])).toEqual([
    ['kind: Stopped', undefined],
    ['exitCode?', 'the code'],
    ['kind: Gone', 'it is gone'],
  ]);
});

describe('a schema', () => {
  it.each(Object.entries(jsonSchemas()))('%s says of each of its fields what it means', (_name, schema) => {
    const { $defs = {}, ...whole } = schema as Schema;
    const all = [['the document', whole] as const, ...Object.entries($defs)];
    const undescribed = all.flatMap(([part, one]) => [
      ...(one.description === undefined ? [part] : []),
      ...fieldsOf(one.items ? (one.items as Schema) : one, $defs)
        .filter(({ meaning }) => meaning === undefined)
        .map(({ name }) => `${part}: ${name}`),
    ]);
    expect(undescribed).toEqual([]);
  });
});

it('docs/report.md has every field; `npm run schema` writes them', () => {
  const page = readFileSync(new URL('../../../docs/report.md', import.meta.url), 'utf8');
  expect(withFields(page, reportSchemas())).toBe(page);
});
