import { minuteOf, number } from '../amounts.ts';
import { type Cells, cellsOf } from './cells.ts';
import { reasonsOf, stuckOf } from './left-stuck.ts';
import { clustersOf, imagesOf, namespacesOf, ownersOf } from './places.ts';
import type { History, Usage } from './schema.ts';
import type { Section, Table } from './section.ts';

/** Of each table, as many rows as one looks at. */
export const mostRows = 10;

/** The tables of a history, first those that ask for something to be done. Each has the worst entries only. */
export function sectionsOf(history: History, most: number): readonly Section[] {
  const cells = cellsOf(history);
  const sections = [
    wasteOf(history, cells),
    reasonsOf(history, cells),
    stuckOf(history, cells),
    recurringOf(history, cells),
    ownersOf(history, cells),
    namespacesOf(history, cells),
    imagesOf(history, cells),
    clustersOf(history, cells),
    trendOf(history, cells),
  ];
  return sections
    .filter(({ rows }) => rows.length > 0)
    .map((section) => shortened(section, section.isWhole ? Infinity : most));
}

function shortened({ title, columns, rows, notes = [], leftOut = 0 }: Table, most: number): Section {
  const more = Math.max(rows.length - most, 0) + leftOut;
  return { title, columns, rows: rows.slice(0, most), more, notes };
}

function wasteOf({ period, totals }: History, { usageColumns, usage }: Cells): Table {
  const { wasted, wastedByStuck, reclaimed } = totals;
  const row = (what: string, used: Usage) => [what, ...usage(used)];
  return {
    title: 'Resources',
    columns: [{ title: '' }, ...usageColumns.map(({ title }) => ({ title }))],
    rows: period
      ? [
          row('wasted', wasted),
          row('by pods that are still stuck', wastedByStuck),
          row('reclaimed', reclaimed),
        ]
      : [],
    isWhole: true,
  };
}

function recurringOf(
  { recurring, leftOut }: History,
  { clusterColumns, cluster, usageColumns, usage }: Cells,
): Table {
  return {
    title: 'What keeps coming back',
    columns: [
      ...clusterColumns,
      { title: 'NAMESPACE', isName: true },
      { title: 'OWNER', isName: true },
      { title: 'SIDECAR' },
      { title: 'TIMES' },
      { title: 'FIRST', worth: 3 },
      { title: 'LAST', worth: 4 },
      ...usageColumns,
      { title: 'IMAGE', worth: 2 },
    ],
    rows: recurring.map(
      ({ cluster: where, namespace, kind, name, sidecar, times, firstAt, lastAt, wasted, image }) => [
        ...cluster(where),
        namespace,
        `${kind}/${name}`,
        sidecar,
        number(times),
        minuteOf(firstAt),
        minuteOf(lastAt),
        ...usage(wasted),
        image,
      ],
    ),
    notes: ['to stop it for good: sidecar-sweeper advise'],
    leftOut: leftOut['recurring'],
  };
}

function trendOf({ trend: { points } }: History, { usageColumns, usage }: Cells): Table {
  const isEmpty = points.length < 2;
  return {
    title: 'Over time (UTC)',
    columns: [
      { title: 'FROM', isName: true },
      { title: 'SWEEPS', worth: 3 },
      { title: 'FOUND', worth: 4 },
      { title: 'ENDED', worth: 2 },
      { title: 'GONE', worth: 1 },
      { title: 'STUCK THEN', worth: 5 },
      ...usageColumns,
    ],
    rows: isEmpty
      ? []
      : points.map(({ from, sweeps, found, ended, gone, stuck, wasted }) => [
          minuteOf(from),
          ...[sweeps, found, ended, gone, stuck].map(number),
          ...usage(wasted),
        ]),
    isWhole: true,
  };
}
