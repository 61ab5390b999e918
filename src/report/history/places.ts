import { minuteOf, number } from '../amounts.ts';
import { type Cells, fateColumns, fates } from './cells.ts';
import type { History } from './schema.ts';
import type { Table } from './section.ts';

/** Where pods got stuck. */
export function ownersOf(
  { owners, leftOut }: History,
  { clusterColumns, cluster, usageColumns, usage }: Cells,
): Table {
  return {
    title: 'By owner',
    columns: [
      ...clusterColumns,
      { title: 'NAMESPACE', isName: true },
      { title: 'OWNER', isName: true },
      ...fateColumns,
      ...usageColumns,
    ],
    rows: owners.map((one) => [
      ...cluster(one.cluster),
      one.namespace,
      `${one.kind}/${one.name}`,
      ...fates(one),
      ...usage(one.wasted),
    ]),
    leftOut: leftOut['owners'],
  };
}

export function namespacesOf(
  { namespaces, leftOut }: History,
  { clusterColumns, cluster, usageColumns, usage }: Cells,
): Table {
  return {
    title: 'By namespace',
    columns: [...clusterColumns, { title: 'NAMESPACE', isName: true }, ...fateColumns, ...usageColumns],
    rows: namespaces.map((one) => [
      ...cluster(one.cluster),
      one.namespace,
      ...fates(one),
      ...usage(one.wasted),
    ]),
    leftOut: leftOut['namespaces'],
  };
}

export function imagesOf({ images, leftOut }: History, { usageColumns, usage }: Cells): Table {
  return {
    title: 'By image of the sidecar',
    columns: [{ title: 'IMAGE', isName: true }, ...fateColumns, ...usageColumns],
    rows: images.map((one) => [one.image, ...fates(one), ...usage(one.wasted)]),
    leftOut: leftOut['images'],
  };
}

export function clustersOf({ clusters }: History, { usageColumns, usage }: Cells): Table {
  const areIdentified = clusters.some(({ uid }) => uid !== undefined);
  return {
    title: 'By cluster',
    columns: [
      { title: 'CLUSTER', isName: true },
      { title: 'SWEEPS', worth: 3 },
      { title: 'LAST', worth: 6 },
      ...fateColumns,
      ...usageColumns,
      ...(areIdentified ? [{ title: 'UID', worth: 1 }] : []),
    ],
    rows:
      clusters.length < 2
        ? []
        : clusters.map((one) => [
            one.name,
            number(one.sweeps),
            minuteOf(one.to),
            ...fates(one),
            ...usage(one.wasted),
            ...(areIdentified ? [one.uid ?? ''] : []),
          ]),
  };
}
