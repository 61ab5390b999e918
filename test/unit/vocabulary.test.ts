import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/report/exit-code.ts';
import { warning } from '../../src/vocabulary.ts';

const src = new URL('../../src/', import.meta.url);

/** The source without the words themselves: what is named here is used. */
const source = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== 'vocabulary.ts' && !file.startsWith('report/texts/'))
  .map((file) => readFileSync(new URL(file, src), 'utf8'))
  .join('\n');

describe('every warning', () => {
  it.each(warning.options.map(({ shape }) => shape.kind.value))(
    '%s is given by some part of a sweep',
    (kind) => {
      expect(source.includes(`kind: '${kind}'`)).toBe(true);
    },
  );

  it('is explained by the schema of the report', () => {
    const unexplained = warning.options.filter(({ description = '' }) => description === '');
    expect(unexplained.map(({ shape }) => shape.kind.value)).toEqual([]);
  });
});

it.each(Object.keys(exitCodes))('the exit code for %s is used', (name) => {
  expect(source.includes(`exitCodes.${name}`)).toBe(true);
});
