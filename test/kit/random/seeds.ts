import { type Played, play } from './play.ts';
import { drawScenario, type Scenario } from './random-cluster.ts';
import { SimulatedCluster } from './simulated-cluster.ts';

/** How many milliseconds late the kubelets of the clusters notice that containers have ended, in turn. */
const lags = [0, 0, 2_000, 8_000];

export interface Cluster {
  readonly seed: number;
  readonly scenario: Scenario;
}

export interface PlayedCluster extends Played {
  readonly seed: number;
}

export function drawn(seed: number): Cluster {
  return { seed, scenario: drawScenario(seed) };
}

/** Plays clusters side by side, on emulators that share nothing. */
export async function playClusters(clusters: readonly Cluster[]): Promise<readonly PlayedCluster[]> {
  const played: PlayedCluster[] = [];
  for (const lag of new Set(lags)) {
    const own = clusters.filter(({ seed }) => lags[seed % lags.length] === lag);
    if (own.length === 0) continue;
    const cluster = await SimulatedCluster.start({ lag });
    try {
      const playing = own.map(async ({ seed, scenario }) => {
        return { seed, ...(await play(scenario, `seed-${seed}`, cluster)) };
      });
      played.push(...(await cluster.simulation.run(Promise.all(playing))));
    } finally {
      await cluster.stop();
    }
  }
  return played;
}
