import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { jsonSchemas } from '../../../src/report/json-schema.ts';
import { type SweepReport, sweepReport } from '../../../src/report/schema.ts';
import { exclusions, hangs } from '../../builders/kinds.ts';
import { candidate } from '../../builders/plan.ts';
import { fullReport, sweepOf } from '../../builders/report.ts';

const published = JSON.parse(JSON.stringify(jsonSchemas()['sweep-report']));

const validate = new Ajv2020({
  formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
}).compile(published);

const report = sweepOf([candidate()]);

const wholeReport: SweepReport = {
  ...fullReport(1),
  excluded: [{ namespace: 'demo', name: 'busy', because: Object.values(exclusions) }],
  hanging: Object.values(hangs).map((hang) => {
    return { namespace: 'demo', name: 'hanging', since: report.run.startedAt, hang };
  }),
};

describe('the published JSON Schema', () => {
  it.each([
    ['a report', report],
    ['a report with all optional parts', wholeReport],
  ])('accepts %s', (_title, accepted) => {
    validate(accepted);
    expect(validate.errors).toBeNull();
    expect(sweepReport.safeParse(accepted).error).toBeUndefined();
  });

  it('describes every field of a report', () => {
    expect(published).toHaveProperty('description');
    expect(Object.keys(published.properties).sort()).toEqual(Object.keys(wholeReport).sort());
  });
});

describe('both the published schema and its source refuse a report', () => {
  const [pod] = report.pods;
  it.each<readonly [title: string, wrong: unknown]>([
    ['with another version', { ...report, apiVersion: 'sidecar-sweeper.dev/v2' }],
    ['with another kind', { ...report, kind: 'SweepPlan' }],
    ['without totals', { ...report, totals: undefined }],
    ['with an unknown outcome', { ...report, pods: [{ ...pod, outcome: { kind: 'Vanished' } }] }],
    ['with an incomplete outcome', { ...report, pods: [{ ...pod, outcome: { kind: 'Replaced' } }] }],
    ['with an invalid time', { ...report, run: { ...report.run, startedAt: 'yesterday' } }],
    ['with a negative duration', { ...report, run: { ...report.run, durationMs: -1 } }],
    ['with a fraction in its totals', { ...report, totals: { ...report.totals, listed: 0.5 } }],
  ])('%s', (_title, wrong) => {
    const written = JSON.parse(JSON.stringify(wrong));
    expect(validate(written)).toBe(false);
    expect(sweepReport.safeParse(written).success).toBe(false);
  });
});
