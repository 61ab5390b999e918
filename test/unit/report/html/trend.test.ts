import { expect, it } from 'vitest';
import { historyOf } from '../../../../src/history/history.ts';
import { chartsOf } from '../../../../src/report/html/trend.ts';
import { sweptReports } from '../../../builders/sweep-reports.ts';

it('draws what was wasted and how many pods are left, without a style of its own', () => {
  const charts = chartsOf(historyOf(sweptReports(5, 10)));
  expect(charts.map(({ title }) => title)).toEqual([
    'Wasted core-hours',
    'Wasted GiB-hours',
    'Pods that sweeps ended',
    'Pods left stuck',
  ]);
  for (const { svg } of charts) {
    expect(svg).toMatch(/^<svg [\s\S]*<\/svg>$/);
    expect(svg).not.toMatch(/style|class=|<script/);
  }
});

it('draws nothing of a single point in time', () => {
  expect(chartsOf(historyOf(sweptReports(1, 10)))).toEqual([]);
});
