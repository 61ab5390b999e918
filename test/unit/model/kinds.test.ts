import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as job from '../../../src/model/job.ts';
import * as outcome from '../../../src/model/outcome.ts';
import * as step from '../../../src/model/step.ts';
import * as verdict from '../../../src/model/verdict.ts';
import * as warnings from '../../../src/model/warning.ts';
import { warning } from '../../../src/model/warning.ts';
import { exitCodes } from '../../../src/report/exit-code.ts';
import { jsonSchemas } from '../../../src/report/json-schema.ts';

const src = new URL('../../../src/', import.meta.url);

/** The source without the words themselves: what is named here is used. */
const source = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('model/') && !file.startsWith('report/texts/'))
  .map((file) => readFileSync(new URL(file, src), 'utf8'))
  .join('\n');

describe('every warning', () => {
  it.each(warning.options.map(({ shape }) => shape.kind.value))('%s is given by part of a sweep', (kind) => {
    expect(source.includes(`kind: '${kind}'`)).toBe(true);
  });

  it('is explained by the schema of the report', () => {
    const unexplained = warning.options.filter(({ description = '' }) => description === '');
    expect(unexplained.map(({ shape }) => shape.kind.value)).toEqual([]);
  });
});

it.each(Object.keys(exitCodes))('the exit code for %s is used', (name) => {
  expect(source.includes(`exitCodes.${name}`)).toBe(true);
});

it('every schema of the model has its name in the published schemas', () => {
  const modules: readonly Readonly<Record<string, unknown>>[] = [job, outcome, step, verdict, warnings];
  const schemas = modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, part]) => (part instanceof z.ZodType ? name : [])),
  );
  expect(schemas.length).toBeGreaterThan(20);
  const published = Object.values(jsonSchemas()).flatMap((schema) =>
    '$defs' in schema ? Object.keys(schema.$defs ?? {}) : [],
  );
  const unnamed = schemas.filter(
    (name) => !published.includes(name.replace(/^./, (first) => first.toUpperCase())),
  );
  // Reports have its words as those of notAttemptedReason.
  expect(unnamed).toEqual(['capReason']);
});
