import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { reportJsonSchema } from '../../../src/report/json-schema.ts';
import { type SweepReport, sweepReport } from '../../../src/report/schema.ts';
import { exclusions, remarks, warnings } from '../../builders/kinds.ts';
import { candidate } from '../../builders/plan.ts';
import { finished, listed, planMade, reportOf, started } from '../../builders/report.ts';

const published = JSON.parse(
  readFileSync(new URL('../../../docs/sweep-report.schema.json', import.meta.url), 'utf8'),
);

const validate = new Ajv2020({
  formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
}).compile(published);

const report: SweepReport = reportOf(started(), ...listed(candidate()), planMade(candidate()), finished);

/** With everything in it that is only there when it was asked for. */
const wholeReport: SweepReport = {
  ...report,
  excluded: [
    { namespace: 'demo', name: 'busy', because: Object.values(exclusions), remarks: Object.values(remarks) },
  ],
  neverStarted: [
    {
      namespace: 'demo',
      name: 'pending',
      mainsEndedAt: report.run.startedAt,
      waiting: [{ name: 'sidecar', image: 'acme/missing:1', reason: 'ImagePullBackOff' }],
      remarks: [],
    },
  ],
  warnings: Object.values(warnings),
};

describe('the published JSON Schema', () => {
  it('is the one that the types come from: `npm run schema` writes it', () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(reportJsonSchema())));
  });

  it.each([
    ['a report', report],
    ['one with everything in it', wholeReport],
  ])('accepts %s', (_title, accepted) => {
    validate(accepted);
    expect(validate.errors).toBeNull();
    expect(sweepReport.safeParse(accepted).error).toBeUndefined();
  });

  it('has something to say about every field of a report', () => {
    expect(published).toHaveProperty('description');
    expect(Object.keys(published.properties).sort()).toEqual(Object.keys(wholeReport).sort());
  });
});

describe('a report is refused, by the schema and by the types’ own source,', () => {
  const [pod] = report.pods;
  it.each<readonly [title: string, wrong: unknown]>([
    ['when it is of another version', { ...report, apiVersion: 'sidecar-sweeper.dev/v2' }],
    ['when it is something else', { ...report, kind: 'SweepPlan' }],
    ['without totals', { ...report, totals: undefined }],
    ['with an outcome that nobody knows', { ...report, pods: [{ ...pod, outcome: { kind: 'Vanished' } }] }],
    ['with half an outcome', { ...report, pods: [{ ...pod, outcome: { kind: 'Replaced' } }] }],
    ['with a time that is none', { ...report, run: { ...report.run, startedAt: 'yesterday' } }],
    ['with a negative duration', { ...report, run: { ...report.run, durationMs: -1 } }],
    ['with half a pod in its totals', { ...report, totals: { ...report.totals, listed: 0.5 } }],
  ])('%s', (_title, wrong) => {
    const written = JSON.parse(JSON.stringify(wrong));
    expect(validate(written)).toBe(false);
    expect(sweepReport.safeParse(written).success).toBe(false);
  });
});
