import type { JSX } from 'preact';
import type { Resources } from '../../../model/pod.ts';
import { many, number } from '../../amounts.ts';
import type { Usage } from '../../history/schema.ts';
import { hasNone } from '../../resources.ts';
import { gib } from '../amounts.ts';
import type { Column } from '../table.tsx';

/** What the pods of a row have wasted. */
export const wastedColumn: Column<{ readonly wasted: Usage }> = {
  title: 'Wasted',
  width: '8.5rem',
  numeric: true,
  cell: ({ wasted }) => <Spent usage={wasted} />,
  value: ({ wasted }) => wasted.cpuHours,
};

/** What the pod of a row reserves. */
export const heldColumn: Column<{ readonly requests: Resources }> = {
  title: 'Holds',
  width: '6rem',
  numeric: true,
  cell: ({ requests }) =>
    hasNone(requests) ? (
      'no requests'
    ) : (
      <>
        {many(requests.cpu, 'core')}
        <small>{number(requests.memory / gib)} GiB</small>
      </>
    ),
  value: ({ requests }) => requests.cpu,
};

function Spent({ usage: { cpuHours, gibHours } }: { readonly usage: Usage }): JSX.Element {
  return (
    <>
      {many(cpuHours, 'core-hour')}
      <small>{many(gibHours, 'GiB-hour')}</small>
    </>
  );
}
