import { table } from '../../../scripts/bench/tables.ts';

export interface Figures {
  readonly clusters: number;
  readonly sweeps: number;
  /** Of these, shards that were processes of their own. */
  readonly processes: number;
  readonly pods: number;
  /** Finished work that a sweep without `allow` made run again, or restarted. */
  readonly unclean: number;
  /** Jobs and indexes that failed although their mains had succeeded. */
  readonly failed: number;
  readonly outcomes: number;
  /** Outcomes that say they are not known, or that something is under way. */
  readonly unproven: number;
  readonly differences: number;
  /** Of a sweep, in milliseconds of the cluster's clock. */
  readonly longest: number;
}

export const noFigures: Figures = {
  ...{ clusters: 0, sweeps: 0, processes: 0, pods: 0, unclean: 0, failed: 0 },
  ...{ outcomes: 0, unproven: 0, differences: 0, longest: 0 },
};

export function sum(one: Figures, other: Figures): Figures {
  const names = Object.keys(noFigures) as readonly (keyof Figures)[];
  const sums = Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as Figures;
  return { ...sums, longest: Math.max(one.longest, other.longest) };
}

export const clustersFile = new URL('../../../reports/properties/clusters.json', import.meta.url);

/** The figures of random clusters, and the seeds that drew them. */
export interface ClusterFigures extends Figures {
  readonly first: number;
}

export function clusterTable({ first, clusters, longest, ...figures }: ClusterFigures): string {
  const rows: readonly (readonly [string, number | string])[] = [
    ['clusters', `${clusters} (seeds ${first} to ${first + clusters - 1})`],
    ['sweeps', figures.sweeps],
    ['of these shards that were processes of their own', figures.processes],
    ['pods reported', figures.pods],
    ['unclean ends of finished work, without `allow`', figures.unclean],
    ['finished Jobs or indexes that failed, without `allow`', figures.failed],
    ['outcomes compared with the cluster', figures.outcomes],
    ['of these not known or under way', figures.unproven],
    ['outcomes that differ', figures.differences],
    ["longest sweep, of the cluster's time", `${longest / 1_000} s`],
  ];
  return table([['figure', 'value'], ...rows.map(([name, value]) => [name, String(value)])]);
}
