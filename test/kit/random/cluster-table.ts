import { table } from '../../../scripts/bench/tables.ts';
import type { Figures } from './figures.ts';

/** Where a run leaves the figures of its random clusters. */
export const clustersFile = new URL('../../../reports/properties/clusters.json', import.meta.url);

/** The figures of random clusters, and the seeds that drew them. */
export interface ClusterFigures extends Figures {
  readonly first: number;
}

export function clusterTable(figures: ClusterFigures): string {
  const { first, clusters, sweeps, pods, unclean, failed, outcomes, unproven, differences, longest } =
    figures;
  const rows: readonly (readonly [string, number | string])[] = [
    ['clusters', `${clusters} (seeds ${first} to ${first + clusters - 1})`],
    ['sweeps', sweeps],
    ['pods reported', pods],
    ['unclean ends of finished work, without `allow`', unclean],
    ['finished Jobs or indexes that failed, without `allow`', failed],
    ['outcomes compared with the cluster', outcomes],
    ['of these not known or under way', unproven],
    ['outcomes that differ', differences],
    ["longest sweep, of the cluster's time", `${longest / 1_000} s`],
  ];
  return table([['figure', 'value'], ...rows.map(([name, value]) => [name, String(value)])]);
}
