import { expect, it } from 'vitest';
import { Finder, Lines } from '../../../../src/report/records/read.ts';
import { toRecords } from '../../../../src/report/records/write.ts';
import { growth, quadratic } from '../../../builders/growth.ts';
import { asJson, asLines } from '../../../builders/rendered.ts';
import { fullReport } from '../../../builders/report.ts';

function readAll(lines: readonly string[]): Finder {
  const whole = new Lines();
  const finder = new Finder();
  for (const line of lines) for (const text of whole.take(line)) finder.take(text, 'a.log');
  for (const text of whole.rest()) finder.take(text, 'a.log');
  return finder;
}

it.each<[string, (pods: number) => readonly string[]]>([
  ['records', (pods) => asLines(toRecords(fullReport(pods))).split('\n')],
  ['an indented report', (pods) => asJson(fullReport(pods)).split('\n')],
  ['documents that never end', (pods) => Array(pods * 20).fill('{')],
  ['a document that never ends', (pods) => ['{', ...Array(pods * 20).fill('  "kind": "SweepReport",')]],
])('four times the lines take about four times as long: %s', (_what, linesFor) => {
  const factor = growth((pods) => {
    const lines = linesFor(pods);
    return () => readAll(lines);
  }, 8);
  expect(factor).toBeLessThan(quadratic);
});
