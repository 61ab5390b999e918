import type { ComponentChildren, JSX } from 'preact';
import type { PodName } from '../../model/pod.ts';
import { many, number } from '../format.ts';
import { Clusters, type KnownCluster } from '../history/sweeps.ts';
import type { Section } from '../history/view.ts';
import { byStart } from '../names.ts';
import type { SweepReport } from '../schema.ts';
import { narrow } from './assets.ts';

/** A table of the page, and how to write a row of it. */
export interface TableOf<Row> {
  /** Its name in the stylesheet and in links. */
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
}

export interface Column<Row> {
  readonly title: string;
  /** As in CSS's grid-template-columns. */
  readonly width: string;
  /** Numbers are aligned to the right, and sorted from the largest. */
  readonly numeric?: true | undefined;
  cell(row: Row): ComponentChildren;
  /** What to sort by, if not by the text of the cell. */
  value?(row: Row): number | string;
}

/** The rows of a tbody: a browser lays it out only when it comes into view. */
const chunk = 50;
/** How many rows are printed: a whole number of chunks. */
const printed = 2 * chunk;
/** Longer tables are folded, so that readers reach what comes after them. */
const short = 12;

/** A table that can be read without scripts; with them it can be sorted and, if it is long, filtered. */
export function Table<Row>({
  of: { id, caption, columns },
  rows,
}: {
  readonly of: TableOf<Row>;
  readonly rows: readonly Row[];
}): JSX.Element {
  const chunks = Array.from({ length: Math.ceil(rows.length / chunk) }, (_, index) =>
    rows.slice(index * chunk, (index + 1) * chunk),
  );
  return (
    <div class="table">
      <table id={id} class={id}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, numeric }) => (
              <th scope="col" class={numeric && 'n'}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {chunks.map((part) => (
          <tbody>
            {part.map((row) => (
              <tr>
                {columns.map(({ cell, value, numeric }) => (
                  <td class={numeric && 'n'} data-v={value?.(row)}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {rows.length > printed && (
        <p class="paper">
          On paper: the first {printed} of {number(rows.length)} rows. The file has all of them.
        </p>
      )}
    </div>
  );
}

/** A table that is folded if it is long; `more` rows are not in the report. */
export function Folded<Row>({
  of,
  rows,
  more = 0,
}: {
  readonly of: TableOf<Row>;
  readonly rows: readonly Row[];
  readonly more?: number | undefined;
}): JSX.Element | null {
  if (rows.length === 0) return null;
  return (
    <details open={rows.length <= short}>
      <summary>
        {of.caption}{' '}
        <span class="soft">
          ({more > 0 && `${number(rows.length)} of `}
          {many(rows.length + more, 'row')})
        </span>
      </summary>
      <Table of={of} rows={rows} />
      {more > 0 && <p class="soft">And {number(more)} more, which waste less.</p>}
    </details>
  );
}

/** A section of the history, as a terminal shows it, too. */
export function tableOf({ id, title, columns }: Section): TableOf<readonly string[]> {
  return {
    id,
    caption: title,
    columns: columns.map((column, index) => ({
      title: headOf(column.title),
      width: column.isName ? '2fr' : column.isNumber ? 'minmax(3.5rem,.5fr)' : '1.8fr',
      numeric: column.isNumber,
      cell: (row) => row[index] ?? '',
    })),
  };
}

/** A column's title, which terminals show in capitals. */
function headOf(title: string): string {
  if (title === 'UID') return title;
  return `${title.charAt(0)}${title.slice(1).toLowerCase()}`.replace('Gib', 'GiB');
}

/** The CSS of a table: the widths of its columns and, on narrow screens, the title before each cell. */
export function cssOf<Row>({ id, columns }: TableOf<Row>): string {
  const titles = columns.map(
    ({ title }, index) => `.${id} td:nth-child(${index + 1})::before{content:${JSON.stringify(title)}}`,
  );
  return `.${id} tr{grid-template-columns:${columns.map(({ width }) => width).join(' ')}}
@media screen and (max-width:${narrow}){${titles.join('')}}
@media print{.${id} tbody:nth-of-type(n+${printed / chunk + 1}){display:none}}
`;
}

/** A pod's name after its namespace, which is less prominent. */
export function Name({ of: { namespace, name } }: { readonly of: PodName }): JSX.Element {
  return (
    <>
      <span class="place">{namespace}/</span>
      {name}
    </>
  );
}

/** Text with its flags unbroken: browsers break lines after hyphens. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split(/(--[\w=-]+)/);
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <span class="flag">{part}</span>))}</>;
}

/** A report whose cluster has a name that no other cluster of the page has. */
export type PageReport = SweepReport & { readonly cluster: KnownCluster };

/** The last report first. */
export function pageReports(reports: readonly SweepReport[]): readonly PageReport[] {
  const clusters = new Clusters(reports.map(({ cluster }) => cluster));
  return [...reports]
    .sort(byStart)
    .reverse()
    .map((report) => ({ ...report, cluster: clusters.of(report.cluster) }));
}

/** The last report of each cluster. */
export function lastOfEach(reports: readonly PageReport[]): readonly PageReport[] {
  return [...new Map([...reports].reverse().map((one) => [one.cluster.id, one])).values()];
}
