import { saying, textOf } from '../columns.ts';
import { many, number } from '../format.ts';
import type { TitledTable } from '../history/view.ts';
import { narrow } from './assets.ts';

/** The rows of a tbody: a browser lays it out only when it comes into view. */
const chunk = 50;
/** How many rows are printed: two chunks, as the stylesheet has it. */
const printed = 2 * chunk;
/** Longer tables are folded, so that readers reach what comes after them. */
const short = 12;

/** The same table without the columns that say nothing. */
export function withoutZeros<T extends TitledTable>(table: T): T {
  const shown = saying(table.columns, table.rows);
  const only = <Item,>(all: readonly Item[]) => all.filter((_, index) => shown.includes(index));
  return { ...table, columns: only(table.columns), rows: table.rows.map(only) };
}

/** A table that can be read without scripts; with them it can be sorted and, if it is long, filtered. */
export function Table({ of: { id, title, columns, rows } }: { readonly of: TitledTable }) {
  const starts = [...rows.keys()].filter((index) => index % chunk === 0);
  return (
    <div class="table">
      <table id={id} class={id}>
        <caption>{title}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={column.isNumber && 'n'}>
                {headOf(column.title)}
              </th>
            ))}
          </tr>
        </thead>
        {starts.map((start) => (
          <tbody>
            {rows.slice(start, start + chunk).map((row) => (
              <tr>
                {row.map((cell, index) => (
                  <td class={columns[index]?.isNumber && 'n'}>{textOf(cell)}</td>
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

export function Folded({ of }: { readonly of: TitledTable }) {
  const { title, rows, more } = of;
  return (
    <details open={rows.length <= short}>
      <summary>
        {title}{' '}
        <span class="soft">
          ({more > 0 && `${number(rows.length)} of `}
          {many(rows.length + more, 'row')})
        </span>
      </summary>
      <Table of={of} />
      {more > 0 && <p class="soft">And {number(more)} more, which waste less.</p>}
    </details>
  );
}

export function Items({ texts }: { readonly texts: readonly string[] }) {
  const items = texts.map((text) => <li>{text}</li>);
  return items.length > 0 ? <ul>{items}</ul> : null;
}

/** A column's title, which terminals show in capitals. */
function headOf(title: string): string {
  if (title === 'UID') return title;
  return `${title.charAt(0)}${title.slice(1).toLowerCase()}`.replace('Gib', 'GiB');
}

/** The CSS of a table: the widths of its columns and, on narrow screens, the title before each cell. */
export function cssOf({ id, columns, rows }: TitledTable): string {
  const widths = columns.map(({ isNumber }, index) => {
    const longest = rows.reduce((most, row) => Math.max(most, textOf(row[index] ?? '').length), 7);
    return isNumber ? `${longest}ch` : `minmax(9ch,${Math.min(Math.max(longest, 10), 40)}fr)`;
  });
  const titles = columns.map(
    ({ title }, index) =>
      `.${id} td:nth-child(${index + 1})::before{content:${JSON.stringify(headOf(title))}}`,
  );
  return `.${id} tr{grid-template-columns:${widths.join(' ')}}
@media screen and (max-width:${narrow}){${titles.join('')}}
`;
}
