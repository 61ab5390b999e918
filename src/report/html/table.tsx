import type { ComponentChildren, JSX } from 'preact';
import { number } from '../amounts.ts';
import { narrow } from './style.ts';

/** A table of the page: how to write it, and what its rows are. */
export interface TableOf<Row> {
  /** Names it in the stylesheet and in links. */
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
}

export interface Column<Row> {
  readonly title: string;
  /** Its part of the width, as CSS grid has it. */
  readonly width: string;
  /** Numbers stand at the right, and sort from the largest. */
  readonly numeric?: true;
  cell(row: Row): ComponentChildren;
  /** What to sort by, if it is not the text of the cell. */
  value?(row: Row): number | string;
}

/** Rows that a browser lays out together, and only as they come into view. */
const chunk = 50;

/** A table that can be read without scripts; with them it sorts, and filters if it is long. */
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

/** So many rows of a table come out on paper: a whole number of chunks. */
const printed = 2 * chunk;

/** The rules of the stylesheet for this table: its columns and, where these have no room, the title of each cell. */
export function stylesOf<Row>({ id, columns }: TableOf<Row>): string {
  const titles = columns.map(
    ({ title }, index) => `.${id} td:nth-child(${index + 1})::before{content:${JSON.stringify(title)}}`,
  );
  return `.${id} tr{grid-template-columns:${columns.map(({ width }) => width).join(' ')}}
@media screen and (max-width:${narrow}){${titles.join('')}}
@media print{.${id} tbody:nth-of-type(n+${printed / chunk + 1}){display:none}}
`;
}
