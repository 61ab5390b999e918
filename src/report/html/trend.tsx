import { BarChart, type BarSeriesOption, LineChart, type LineSeriesOption } from 'echarts/charts';
import { GridComponent, type GridComponentOption } from 'echarts/components';
import { type ComposeOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { number } from '../format.ts';
import type { History, TrendPoint } from '../history/schema.ts';

use([BarChart, LineChart, GridComponent, SVGRenderer]);

export function Charts({ history }: { readonly history: History }) {
  return (
    <div class="charts">
      {chartsOf(history).map(({ title, svg }) => (
        <figure>
          <figcaption>{title}</figcaption>
          {/* Drawn by this program from times and numbers alone. */}
          <div dangerouslySetInnerHTML={{ __html: svg }} />
        </figure>
      ))}
    </div>
  );
}

export function chartsOf({
  trend: { points },
}: History): readonly { readonly title: string; readonly svg: string }[] {
  if (points.length < 2) return [];
  return [
    draw('Wasted core-hours', points, bars(points.map(({ wasted }) => wasted.cpuHours))),
    draw('Wasted GiB-hours', points, bars(points.map(({ wasted }) => wasted.gibHours))),
    draw('Pods that sweeps ended', points, bars(points.map(({ ended }) => ended))),
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

function bars(data: number[]): BarSeriesOption {
  return { type: 'bar', barCategoryGap: '25%', itemStyle: { color: 'var(--accent)' }, data };
}

function draw(title: string, points: readonly TrendPoint[], series: BarSeriesOption | LineSeriesOption) {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 480, height: 170 });
  // The largest size that the stylesheet gives labels, so that they fit on any screen.
  const label = { color: 'var(--soft)', fontSize: 13 };
  const line = { lineStyle: { color: 'var(--rule)' } };
  const option: ComposeOption<BarSeriesOption | LineSeriesOption | GridComponentOption> = {
    animation: false,
    grid: { left: 4, right: 12, top: 12, bottom: 4, outerBoundsMode: 'same' },
    xAxis: {
      type: 'category',
      data: points.map(({ from }) => labelOf(from, points)),
      axisLabel: { ...label, padding: [0, 6], hideOverlap: true },
      axisLine: line,
      axisTick: { show: false },
    },
    yAxis: { type: 'value', splitNumber: 3, axisLabel: { ...label, formatter: number }, splitLine: line },
    series: [{ ...series, silent: true }],
  };
  chart.setOption(option);
  const svg = chart.renderToSVGString({ useViewBox: true });
  chart.dispose();
  return { title, svg: embeddable(svg, title) };
}

function labelOf(from: string, points: readonly TrendPoint[]): string {
  const days = new Set(points.map((point) => point.from.slice(0, 10)));
  if (days.size === 1) return from.slice(11, 16);
  return days.size === points.length ? from.slice(5, 10) : `${from.slice(5, 10)} ${from.slice(11, 16)}`;
}

/** Without styles, which the page does not allow, and with ids that do not depend on what echarts drew before. */
function embeddable(svg: string, title: string): string {
  return svg
    .replace(/<style[^>]*>[\s\S]*?<\/style>/g, '')
    .replace(/ (?:style|class|pointer-events)="[^"]*"/g, '')
    .replace(/\n/g, '')
    .replace('<svg ', '<svg aria-hidden="true" ')
    .replace(/zr\d+-/g, `${title.replace(/\W+/g, '-')}-`);
}
