import type { JSX } from 'preact';
import { many, number } from '../../amounts.ts';
import { Table, type TableOf } from '../table.tsx';

/** So many rows do not keep anybody from what comes after them. */
const short = 12;

/** A table of the worst entries, folded if it is long, and how many more there are. */
export function Listed<Row>({
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
