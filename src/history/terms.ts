import type { Workload } from '../report/history/schema.ts';
import type { Clusters } from './clusters.ts';
import type { Past } from './past.ts';
import type { Prices } from './spent.ts';

/** What to name clusters and to count money with. */
export interface Terms {
  readonly clusters: Clusters;
  readonly prices: Prices;
}

export function workloadOf({ server, last: { namespace }, origin }: Past, clusters: Clusters): Workload {
  return { cluster: clusters.named(server).name, namespace, kind: origin.kind, name: origin.name };
}
