import type { JSX } from 'preact';
import { minuteOf, number } from '../../amounts.ts';
import type { Fates, History } from '../../history/schema.ts';
import type { Column, TableOf } from '../table.tsx';
import { Listed } from './listed.tsx';
import { Name } from './name.tsx';
import { wastedColumn } from './spent.tsx';

/** The columns that say what became of the pods of something. */
const fates: TableOf<Fates>['columns'] = [
  { title: 'Pods', width: '5rem', numeric: true, cell: ({ pods }) => number(pods) },
  { title: 'Ended', width: '5rem', numeric: true, cell: ({ ended }) => number(ended) },
  { title: 'Still stuck', width: '6rem', numeric: true, cell: ({ stuck }) => number(stuck) },
  wastedColumn,
];

const ownerColumn: Column<Pick<History['owners'][number], 'cluster' | 'namespace' | 'kind' | 'name'>> = {
  title: 'Owner',
  width: '3fr',
  cell: ({ cluster, namespace, kind, name }) => (
    <>
      {kind} <Name of={{ namespace, name }} />
      <small>{cluster}</small>
    </>
  ),
};

export const recurringTable: TableOf<History['recurring'][number]> = {
  id: 'recurring',
  caption: 'What keeps coming back',
  columns: [
    ownerColumn,
    {
      title: 'On',
      width: '3fr',
      cell: ({ sidecar, image }) => (
        <>
          {sidecar}
          <small>{image}</small>
        </>
      ),
    },
    { title: 'Times', width: '4rem', numeric: true, cell: ({ times }) => number(times) },
    { title: 'Last', width: '9rem', cell: ({ lastAt }) => minuteOf(lastAt) },
    wastedColumn,
  ],
};

export const ownersTable: TableOf<History['owners'][number]> = {
  id: 'owners',
  caption: 'By owner',
  columns: [ownerColumn, ...fates],
};

export const namespacesTable: TableOf<History['namespaces'][number]> = {
  id: 'namespaces',
  caption: 'By namespace',
  columns: [
    {
      title: 'Namespace',
      width: '3fr',
      cell: ({ cluster, namespace }) => (
        <>
          {namespace}
          <small>{cluster}</small>
        </>
      ),
    },
    ...fates,
  ],
};

export const clustersTable: TableOf<History['clusters'][number]> = {
  id: 'clusters',
  caption: 'By cluster',
  columns: [
    {
      title: 'Cluster',
      width: '3fr',
      cell: ({ name, server, uid }) => (
        <>
          {name}
          {server !== name && <small>{server}</small>}
          {uid !== undefined && <small>{uid}</small>}
        </>
      ),
    },
    { title: 'Sweeps', width: '5rem', numeric: true, cell: ({ sweeps }) => number(sweeps) },
    ...fates,
  ],
};

export const imagesTable: TableOf<History['images'][number]> = {
  id: 'images',
  caption: 'By image of the sidecar',
  columns: [{ title: 'Image', width: '3fr', cell: ({ image }) => image }, ...fates],
};

/** Where pods get stuck, and how they stop getting stuck. */
export function Where({ history }: { readonly history: History }): JSX.Element | null {
  const { recurring, owners, namespaces, clusters, images, leftOut, totals } = history;
  if (totals.pods === 0) return null;
  return (
    <section aria-labelledby="never-again">
      <h2 id="never-again">So that it does not happen again</h2>
      <p>
        <code>sidecar-sweeper advise</code> prints the cure for each owner as something to apply: most often
        its sidecar becomes a native one, which the kubelet ends by itself.
      </p>
      <Listed of={recurringTable} rows={recurring} more={leftOut['recurring']} />
      <Listed of={ownersTable} rows={owners} more={leftOut['owners']} />
      <Listed of={namespacesTable} rows={namespaces} more={leftOut['namespaces']} />
      {clusters.length > 1 && <Listed of={clustersTable} rows={clusters} />}
      <Listed of={imagesTable} rows={images} more={leftOut['images']} />
    </section>
  );
}
