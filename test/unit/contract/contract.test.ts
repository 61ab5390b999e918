import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { jsonSchemas, toSchema } from '../../../src/report/json-schema.ts';
import { sweepReport } from '../../../src/report/schema.ts';
import { fullReport } from '../../builders/report.ts';
import { breaksOf } from '../../contract/breaks.ts';
import { contractFolder } from '../../contract/documents.ts';
import type { Schema } from '../../contract/fields.ts';
import { reportsIn } from '../../reports-in.ts';

function promisedOf(name: string): Schema {
  return JSON.parse(readFileSync(new URL(`${name}.schema.json`, contractFolder), 'utf8'));
}

it.each(Object.entries(jsonSchemas()))(
  '%s keeps what its apiVersion promises: whoever breaks it needs a new one',
  (name, schema) => {
    const promised = promisedOf(name);
    // A policy is read by the program, and everything else is written by it.
    const side = name === 'sweep-policy' ? 'Writers' : 'Readers';
    expect(breaksOf(promised, JSON.parse(JSON.stringify(schema)), side)).toEqual([]);
  },
);

it('`report` reads every report that was promised: a field that is new since may be missing', () => {
  const readable = toSchema('sweep-report', 'SweepReport', sweepReport, 'input') as Schema;
  expect(breaksOf(promisedOf('sweep-report'), readable, 'Writers')).toEqual([]);
});

it('`report` reads the reports of versions that did not know pods that hang', async () => {
  const report = fullReport(2);
  const { hanging: _, totals, ...before } = report;
  const { hanging: _counts, ...others } = totals;
  const { reports } = await reportsIn(JSON.stringify({ ...before, totals: others }));
  expect(reports).toEqual([{ ...report, hanging: [], totals: { ...totals, hanging: {} } }]);
});
