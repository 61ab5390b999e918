import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { jsonSchemas } from '../../../../src/report/json-schema.ts';
import { toLine } from '../../../../src/report/records/line.ts';
import { toRecords } from '../../../../src/report/records/write.ts';
import { fullReport } from '../../../builders/report.ts';

const validate = new Ajv2020({
  formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
}).compile(jsonSchemas()['sweep-record'] ?? {});

it('describes every record of a report that has everything, also one that had to leave something out', () => {
  const report = fullReport(3);
  const long = report.pods.map((pod) => ({ ...pod, remarks: [], name: 'x'.repeat(17_000) }));
  const records = [...toRecords(report), ...toRecords({ ...report, pods: long })];
  const lines = records.map((record) => JSON.parse(toLine(record)));
  expect(lines.some(({ leftOut }) => leftOut)).toBe(true);
  for (const line of lines) {
    validate(line);
    expect(validate.errors).toBeNull();
  }
});
