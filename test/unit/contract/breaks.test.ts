import { describe, expect, it } from 'vitest';
import { breaksOf, type Side } from '../../contract/breaks.ts';
import type { Schema } from '../../contract/fields.ts';

const stopped: Schema = {
  type: 'object',
  properties: { kind: { const: 'Stopped' }, exitCode: { type: 'integer' } },
  required: ['kind', 'exitCode'],
};
const ended: Schema = { type: 'object', properties: { kind: { const: 'Gone' } }, required: ['kind'] };
const outcome: Schema = { oneOf: [stopped, ended] };

const earlier: Schema = {
  type: 'object',
  properties: {
    kind: { type: 'string', const: 'Report' },
    name: { type: 'string' },
    node: { type: 'string' },
    waitMs: { type: 'integer', minimum: 0 },
    share: { type: 'number' },
    at: { type: 'string', format: 'date-time' },
    mode: { type: 'string', enum: ['allow', 'forbid'] },
    outcomes: { type: 'array', items: { $ref: '#/$defs/Outcome' } },
    totals: { type: 'object', additionalProperties: { type: 'integer' } },
  },
  required: ['kind', 'name', 'waitMs', 'outcomes'],
  $defs: { Outcome: outcome },
};

type Properties = Readonly<Record<string, Schema>>;

function later(properties: Properties, rest: Schema = {}): Schema {
  const { name, node, waitMs, share, at, mode, outcomes, totals, kind } = earlier.properties as Properties;
  const all = { kind, name, node, waitMs, share, at, mode, outcomes, totals, ...properties };
  const present = Object.entries(all).filter(([, schema]) => schema !== undefined);
  return { ...earlier, properties: Object.fromEntries(present), ...rest } as Schema;
}

function withOutcomes(...oneOf: Schema[]): Schema {
  return { ...earlier, $defs: { Outcome: { oneOf } } };
}

const gone = { name: undefined } as unknown as Properties;

describe('nobody is broken by', () => {
  it.each<readonly [title: string, schema: Schema]>([
    ['the same schema', earlier],
    ['another description', later({ name: { type: 'string', description: 'its name' } })],
    ['a new field that may be missing', later({ zone: { type: 'string' } })],
    [
      'another value of an enumeration',
      later({ mode: { type: 'string', enum: ['allow', 'forbid', 'ask'] } }),
    ],
    ['another kind of a union', withOutcomes(stopped, ended, { properties: { kind: { const: 'New' } } })],
    [
      'the parts under other names',
      {
        ...later({ outcomes: { type: 'array', items: { $ref: '#/$defs/End' } } }),
        $defs: { End: outcome },
      } as Schema,
    ],
  ])('%s', (_title, schema) => {
    expect(breaksOf(earlier, schema, 'Readers')).toEqual([]);
    expect(breaksOf(earlier, schema, 'Writers')).toEqual([]);
  });
});

describe('everybody is broken by', () => {
  it.each<readonly [title: string, schema: Schema, problem: string]>([
    ['a field that is gone', later(gone), 'the document: name is gone'],
    ['another type', later({ name: { type: 'integer' } }), 'name: string has become integer'],
    [
      'another version',
      later({ kind: { type: 'string', const: 'Sweep' } }),
      'kind: the value Report is gone',
    ],
    [
      'a value that is gone',
      later({ mode: { type: 'string', enum: ['allow'] } }),
      'mode: the value forbid is gone',
    ],
    ['a kind that is gone', withOutcomes(stopped), 'outcomes[]: Gone is gone'],
    ['another format', later({ at: { type: 'string', format: 'date' } }), 'at: its format has changed'],
    [
      'another type within a kind',
      withOutcomes(
        { ...stopped, properties: { ...stopped.properties, exitCode: { type: 'string' } } },
        ended,
      ),
      'outcomes[]<Stopped>.exitCode: integer has become string',
    ],
    [
      'another type of what is counted',
      later({ totals: { type: 'object', additionalProperties: { type: 'string' } } }),
      'totals.*: integer has become string',
    ],
  ])('%s', (_title, schema, problem) => {
    expect(breaksOf(earlier, schema, 'Readers')).toEqual([problem]);
    expect(breaksOf(earlier, schema, 'Writers')).toEqual([problem]);
  });
});

describe('one side alone is broken by', () => {
  it.each<readonly [title: string, schema: Schema, side: Side, problem: string]>([
    [
      'a field that may be missing from now on',
      later({}, { required: ['kind', 'waitMs', 'outcomes'] }),
      'Readers',
      'the document: name may be missing',
    ],
    [
      'a field that must be written from now on',
      later({}, { required: ['kind', 'name', 'waitMs', 'outcomes', 'node'] }),
      'Writers',
      'the document: node must be written',
    ],
    [
      'fractions',
      later({ waitMs: { type: 'number', minimum: 0 } }),
      'Readers',
      'waitMs: integer has become number',
    ],
    [
      'no more fractions',
      later({ share: { type: 'integer' } }),
      'Writers',
      'share: number has become integer',
    ],
    [
      'a lower bound',
      later({ waitMs: { type: 'integer', minimum: -1 } }),
      'Readers',
      'waitMs: its minimum has changed',
    ],
    [
      'a higher bound',
      later({ waitMs: { type: 'integer', minimum: 1 } }),
      'Writers',
      'waitMs: its minimum has changed',
    ],
    [
      'a text of which only some values are left',
      later({ name: { type: 'string', enum: ['a', 'b'] } }),
      'Writers',
      'name: any value but a, b is gone',
    ],
  ])('%s', (_title, schema, side, problem) => {
    const other = side === 'Readers' ? 'Writers' : 'Readers';
    expect(breaksOf(earlier, schema, side)).toEqual([problem]);
    expect(breaksOf(earlier, schema, other)).toEqual([]);
  });
});
