import type { JSX } from 'preact';
import { minuteOf, number } from '../../amounts.ts';
import type { History } from '../../history/schema.ts';
import { elapsed } from '../../times.ts';
import { Table, type TableOf } from '../table.tsx';
import { Listed } from './listed.tsx';
import { Name } from './name.tsx';
import { Prose } from './prose.tsx';
import { heldColumn, wastedColumn } from './spent.tsx';
import { Said } from './word.tsx';

type Reason = History['reasons'][number];
type StuckPod = History['stuck'][number];

export const reasonsTable: TableOf<Reason> = {
  id: 'why',
  caption: 'Why pods are still stuck, and what to do',
  columns: [
    { title: 'Pods', width: '4rem', numeric: true, cell: ({ pods }) => number(pods) },
    { title: 'Why', width: '2fr', cell: (why) => <Said word={why} text={why.words} /> },
    {
      title: 'What to do',
      width: '3fr',
      cell: ({ advice = 'see the explanation' }) => <Prose text={advice} />,
    },
    { title: 'Since', width: '9rem', cell: ({ since }) => minuteOf(since) },
    wastedColumn,
  ],
};

export const stuckTable: TableOf<StuckPod> = {
  id: 'stuck',
  caption: 'Pods that are stuck now, the most wasteful first',
  columns: [
    {
      title: 'Pod',
      width: '3fr',
      cell: ({ cluster, namespace, name, owner }) => (
        <>
          <Name of={{ namespace, name }} />
          <small>
            {owner.kind} {owner.name}, {cluster}
          </small>
        </>
      ),
    },
    {
      title: 'Stuck for',
      width: '6rem',
      numeric: true,
      cell: ({ mainsEndedAt, lastSeenAt }) => elapsed(mainsEndedAt, lastSeenAt),
      value: ({ mainsEndedAt, lastSeenAt }) => Date.parse(lastSeenAt) - Date.parse(mainsEndedAt),
    },
    {
      title: 'On',
      width: '2.7fr',
      cell: ({ sidecars }) =>
        sidecars.map(({ name, image }) => (
          <span class="line">
            {name}
            <small>{image}</small>
          </span>
        )),
    },
    { title: 'Why', width: '2.7fr', cell: ({ why }) => <Said word={why} text={why.words} /> },
    {
      title: 'Found',
      width: '5rem',
      numeric: true,
      cell: ({ sweeps }) => `${number(sweeps)} ×`,
      value: ({ sweeps }) => sweeps,
    },
    heldColumn,
    wastedColumn,
  ],
};

/** What is stuck, since when, why, what it costs and what to do about it. */
export function Stuck({ history }: { readonly history: History }): JSX.Element | null {
  const { stuck, reasons, leftOut } = history;
  if (stuck.length === 0) return null;
  return (
    <section aria-labelledby="stuck-now">
      <h2 id="stuck-now">Stuck now</h2>
      <Table of={reasonsTable} rows={reasons} />
      <Listed of={stuckTable} rows={stuck} more={leftOut['stuck']} />
    </section>
  );
}
