import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts';
import { BarChart, LineChart } from 'echarts/charts';
import type { GridComponentOption } from 'echarts/components';
import { GridComponent } from 'echarts/components';
import { type ComposeOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { number } from '../amounts.ts';
import type { History, TrendPoint } from '../history/schema.ts';

type Option = ComposeOption<BarSeriesOption | LineSeriesOption | GridComponentOption>;

/** A drawing with its title, which also says in words what it shows. */
export interface Chart {
  readonly title: string;
  readonly svg: string;
}

use([BarChart, LineChart, GridComponent, SVGRenderer]);

const size = { width: 480, height: 170 };

/** What was wasted, and how many pods were stuck, in each part of the time; nothing if there is one part alone. */
export function chartsOf({ trend }: History): readonly Chart[] {
  const { points } = trend;
  if (points.length < 2) return [];
  return [
    bars('Wasted core-hours', points, ({ wasted }) => wasted.cpuHours),
    bars('Wasted GiB-hours', points, ({ wasted }) => wasted.gibHours),
    bars('Pods that sweeps ended', points, ({ ended }) => ended),
    draw('Pods left stuck', points, {
      type: 'line',
      step: 'middle',
      symbol: 'none',
      lineStyle: { color: 'var(--warn)', width: 2 },
      areaStyle: { color: 'var(--warn)', opacity: 0.15 },
      data: points.map(({ stuck }) => stuck),
    }),
  ];
}

function bars(title: string, points: readonly TrendPoint[], read: (point: TrendPoint) => number): Chart {
  return draw(title, points, {
    type: 'bar',
    barCategoryGap: '25%',
    itemStyle: { color: 'var(--accent)' },
    data: points.map(read),
  });
}

function draw(
  title: string,
  points: readonly TrendPoint[],
  series: BarSeriesOption | LineSeriesOption,
): Chart {
  // Drawn as text; there is no page around it yet.
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
  // The largest that the stylesheet makes it, so that labels have room on any screen.
  const label = { color: 'var(--soft)', fontSize: 13 };
  const option: Option = {
    animation: false,
    grid: { left: 4, right: 12, top: 12, bottom: 4, outerBoundsMode: 'same' },
    xAxis: {
      type: 'category',
      data: points.map(({ from }) => labelOf(from, points)),
      axisLabel: { ...label, padding: [0, 6], hideOverlap: true },
      axisLine: { lineStyle: { color: 'var(--rule)' } },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'value',
      splitNumber: 3,
      axisLabel: { ...label, formatter: number },
      splitLine: { lineStyle: { color: 'var(--rule)' } },
    },
    series: [{ ...series, silent: true }],
  };
  chart.setOption(option);
  const svg = chart.renderToSVGString({ useViewBox: true });
  chart.dispose();
  return { title, svg: withOwnIds(withoutStyles(svg), title) };
}

/** The time if all is of one day, otherwise the day. */
function labelOf(from: string, points: readonly TrendPoint[]): string {
  const days = new Set(points.map((point) => point.from.slice(0, 10)));
  if (days.size === 1) return from.slice(11, 16);
  return days.size === points.length ? from.slice(5, 10) : `${from.slice(5, 10)} ${from.slice(11, 16)}`;
}

/** The page allows no style but its own. */
function withoutStyles(svg: string): string {
  return svg
    .replace(/<style[^>]*>[\s\S]*?<\/style>/g, '')
    .replace(/ (?:style|class|pointer-events)="[^"]*"/g, '')
    .replace(/\n/g, '')
    .replace('<svg ', '<svg aria-hidden="true" ');
}

/** The library numbers all that it ever draws. */
function withOwnIds(svg: string, title: string): string {
  return svg.replace(/zr\d+-/g, `${title.replace(/\W+/g, '-')}-`);
}
