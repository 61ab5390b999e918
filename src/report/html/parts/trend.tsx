import type { JSX } from 'preact';
import { minuteOf, number } from '../../amounts.ts';
import type { History, TrendPoint } from '../../history/schema.ts';
import { Table, type TableOf } from '../table.tsx';
import type { Chart } from '../trend.ts';
import { wastedColumn } from './spent.tsx';

export const trendTable: TableOf<TrendPoint> = {
  id: 'trend',
  caption: 'The same in numbers',
  columns: [
    { title: 'From', width: '9rem', cell: ({ from }) => minuteOf(from) },
    { title: 'Sweeps', width: '1fr', numeric: true, cell: ({ sweeps }) => number(sweeps) },
    { title: 'Found stuck', width: '1fr', numeric: true, cell: ({ found }) => number(found) },
    { title: 'Ended by sweeps', width: '1fr', numeric: true, cell: ({ ended }) => number(ended) },
    { title: 'Ended otherwise', width: '1fr', numeric: true, cell: ({ gone }) => number(gone) },
    { title: 'Left stuck', width: '1fr', numeric: true, cell: ({ stuck }) => number(stuck) },
    wastedColumn,
  ],
};

/** Waste over time, drawn and in numbers. */
export function Trend({
  history: { trend },
  charts,
}: {
  readonly history: History;
  readonly charts: readonly Chart[];
}): JSX.Element | null {
  if (charts.length === 0) return null;
  return (
    <section aria-labelledby="over-time">
      <h2 id="over-time">Over time</h2>
      <div class="charts">
        {charts.map(({ title, svg }) => (
          <figure>
            <figcaption>{title}</figcaption>
            {/* Drawn of times and numbers, by this program. */}
            <div dangerouslySetInnerHTML={{ __html: svg }} />
          </figure>
        ))}
      </div>
      <details>
        <summary>{trendTable.caption}</summary>
        <Table of={trendTable} rows={trend.points} />
      </details>
    </section>
  );
}
