import { describe, expect, it } from 'vitest';
import { declareType, typeOf } from '../../../build/type-of-schema.ts';

describe('the type of a schema', () => {
  it.each([
    ['a text', { type: 'string' }, 'string'],
    ['a whole number', { type: 'integer' }, 'number'],
    ['anything', {}, 'unknown'],
    ['one value', { type: 'string', const: 'v1' }, '"v1"'],
    ['a choice', { type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'readonly string[]'],
    ['a list of choices', { type: 'array', items: { enum: ['a', 'b'] } }, 'readonly ("a" | "b")[]'],
    [
      'counts',
      { type: 'object', additionalProperties: { type: 'integer' } },
      '{ readonly [name: string]: number }',
    ],
    ['a part with a name', { $ref: '#/$defs/Outcome' }, 'Outcome'],
    ['a union', { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, '\n  | number\n  | boolean'],
  ] as const)('%s', (_title, schema, type) => {
    expect(typeOf(schema as Parameters<typeof typeOf>[0], '')).toBe(type);
  });

  it('says of each field what it means, and whether it may be missing', () => {
    const waitMs = { type: 'integer', description: 'how long, in milliseconds' } as const;
    const schema = {
      description: 'an outcome',
      type: 'object',
      properties: { kind: { const: 'Stopped' }, waitMs },
      required: ['kind'],
    } as const;
    expect(declareType('Outcome', { ...schema, required: ['kind'] })).toBe(
      [
        '/** an outcome */',
        'export type Outcome = {',
        '  readonly kind: "Stopped";',
        '  /** how long, in milliseconds */',
        '  readonly waitMs?: number;',
        '};',
      ].join('\n'),
    );
  });

  it('is refused rather than guessed', () => {
    expect(() => typeOf({ type: 'null' }, '')).toThrow('no type stands for {"type":"null"}');
  });
});
