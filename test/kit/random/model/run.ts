import fc from 'fast-check';
import { SimulatedCluster } from '../simulated-cluster.ts';
import { pageNames, pages } from './pages.ts';
import { stillClusters, stillNames } from './still.ts';
import { timeline, timelineNames } from './timeline.ts';
import { timersBy } from './timers.ts';

/** Properties that are checked with the same draws. */
interface Family {
  readonly names: readonly string[];
  readonly property: (cluster: SimulatedCluster, nextNamespace: () => string) => Checked;
}

/** fast-check knows what it draws; here it is only checked. */
type Checked = fc.IRawProperty<unknown, boolean>;

export const families = {
  timeline: { names: timelineNames, property: timeline },
  still: { names: stillNames, property: stillClusters },
  pages: { names: pageNames, property: pages },
} as const satisfies Readonly<Record<string, Family>>;

export type FamilyName = keyof typeof families;

/** A cluster remembers every request, and gets slow with age. */
const runsOfCluster = 50;
/** Properties are checked side by side in one cluster: what waits for its time costs nothing. */
const lanes = 5;

/** Checks a family with so many draws, and returns what does not hold, with the seed that shows it. */
export async function playModels(family: FamilyName, runs: number, seed: number): Promise<readonly string[]> {
  const problems: string[] = [];
  for (let done = 0; done < runs; done += runsOfCluster) {
    const count = Math.min(runsOfCluster, runs - done);
    problems.push(...(await playBatch(families[family], count, seed + done)));
  }
  return problems;
}

async function playBatch({ property }: Family, runs: number, seed: number): Promise<readonly string[]> {
  const cluster = await SimulatedCluster.start({ timersGoByIt: true });
  const useRealTimers = timersBy(cluster.simulation.clock);
  let namespaces = 0;
  const nextNamespace = () => `model-${namespaces++}`;
  const share = Math.ceil(runs / lanes);
  try {
    const checking = Array.from({ length: Math.ceil(runs / share) }, async (_, lane) => {
      const numRuns = Math.min(share, runs - lane * share);
      const options = { seed: seed + lane * share, numRuns, endOnFailure: process.env['SHRINK'] !== '1' };
      const result = await fc.check(property(cluster, nextNamespace), options);
      return result.failed ? [`${result.errorInstance}\n${fc.defaultReportMessage(result)}`] : [];
    });
    return (await cluster.simulation.run(Promise.all(checking))).flat();
  } finally {
    useRealTimers();
    await cluster.stop();
  }
}
