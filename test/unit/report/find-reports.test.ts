import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findReports } from '../../../src/report/find-reports.ts';
import { renderJson, safeJson } from '../../../src/report/json.ts';
import { finished, listed, reportOf, started } from '../../builders/report.ts';

const report = reportOf(started(), ...listed(), finished);
const logLine = safeJson({ level: 'info', event: 'PodConcluded', message: 'a report is a { of lines }' });

describe('reports are found', () => {
  it('in the file that a sweep printed', () => {
    expect(findReports(renderJson(report))).toEqual([report]);
  });

  it('on one line, as jq -c leaves them', () => {
    expect(findReports(`${safeJson(report)}\n${safeJson(report)}`)).toEqual([report, report]);
  });

  it('in the logs of several pods one after the other', () => {
    const log = `${logLine}\n${renderJson(report)}${logLine}\n`;
    expect(findReports(log + log)).toEqual([report, report]);
  });

  it('with lines of stderr between their own, wherever the runtime put them', () => {
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
    ['a report that was cut off', renderJson(report).slice(0, -2)],
    ['a report whose beginning was rotated away', renderJson(report).slice(2)],
    ['JSON that is something else', '{\n  "kind": "SweepReport"\n}\n'],
    ['a line that only speaks of one', 'no "SweepReport" here'],
  ])('not in %s', (_what, text) => {
    expect(findReports(text)).toEqual([]);
  });
});
