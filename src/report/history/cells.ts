import { number } from '../amounts.ts';
import type { Column } from '../arrange.ts';
import type { Fates, History, Usage } from './schema.ts';

/** What stands in several tables: how they begin and end depends on what is known. */
export interface Cells {
  /** Which cluster; nothing if there is only one. */
  readonly clusterColumns: readonly Column[];
  cluster(name: string): readonly string[];
  readonly usageColumns: readonly Column[];
  usage(usage: Usage): readonly string[];
}

export const fateColumns: readonly Column[] = [
  { title: 'PODS' },
  { title: 'ENDED', worth: 2 },
  { title: 'GONE', worth: 1 },
  { title: 'STUCK', worth: 5 },
];

export function fates({ pods, ended, gone, stuck }: Fates): readonly string[] {
  return [pods, ended, gone, stuck].map(number);
}

export function cellsOf({ clusters }: Pick<History, 'clusters'>): Cells {
  const areSeveral = clusters.length > 1;
  return {
    clusterColumns: areSeveral ? [{ title: 'CLUSTER', isName: true }] : [],
    cluster: (name) => (areSeveral ? [name] : []),
    usageColumns: [
      { title: 'CORE-HOURS', worth: 7 },
      { title: 'GIB-HOURS', worth: 6 },
    ],
    usage: ({ cpuHours, gibHours }) => [number(cpuHours), number(gibHours)],
  };
}
