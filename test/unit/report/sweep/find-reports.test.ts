import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderJson, safeJson } from '../../../../src/report/json.ts';
import { listOf } from '../../../../src/report/several.ts';
import { findReports } from '../../../../src/report/sweep/find-reports.ts';
import { finished, listed, reportOf, started } from '../../../builders/report.ts';

const report = reportOf(started(), ...listed(), finished);
const logLine = safeJson({ level: 'info', event: 'PodConcluded', message: 'a report is a { of lines }' });

describe('reports are found', () => {
  it('in the output of a sweep', () => {
    expect(findReports(renderJson(report))).toEqual([report]);
  });

  it('on one line, as from jq -c', () => {
    expect(findReports(`${safeJson(report)}\n${safeJson(report)}`)).toEqual([report, report]);
  });

  it('in the concatenated logs of several pods', () => {
    const log = `${logLine}\n${renderJson(report)}${logLine}\n`;
    expect(findReports(log + log)).toEqual([report, report]);
  });

  it('with lines of stderr in between', () => {
    const lines = renderJson(report).trimEnd().split('\n');
    fc.assert(
      fc.property(fc.array(fc.nat(lines.length), { maxLength: 5 }), (places) => {
        const mixed = lines.flatMap((line, index) => [
          ...places.filter((place) => place === index).map(() => logLine),
          line,
        ]);
        expect(findReports(mixed.join('\n'))).toEqual([report]);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['a log without one', logLine],
    ['a truncated report', renderJson(report).slice(0, -2)],
    ['a report without its beginning, after log rotation', renderJson(report).slice(2)],
    ['other JSON', '{\n  "kind": "SweepReport"\n}\n'],
    ['a line that only mentions a report', 'no "SweepReport" here'],
  ])('not in %s', (_what, text) => {
    expect(findReports(text)).toEqual([]);
  });
});

it('the reports of several clusters are found in their list', () => {
  const other = { ...report, cluster: { context: 'other', server: 'https://other' } };
  const list = listOf('SweepReportList', [report, other]);
  expect(findReports(renderJson(list))).toEqual([report, other]);
  expect(findReports(safeJson(list))).toEqual([report, other]);
});
