import fc from 'fast-check';
import { type Played, play } from './play.ts';
import { type Scenario, scenario } from './random-cluster.ts';
import {
  enrich,
  extras,
  firstWithExtras,
  firstWithTraits,
  hasStops,
  stops,
  traits,
  withStops,
  withTraits,
} from './random-extras.ts';
import { SimulatedCluster } from './simulated-cluster.ts';

/** How many milliseconds late the kubelets of the clusters notice that containers have ended, in turn. */
const lags = [0, 0, 2_000, 8_000];

export interface Drawn extends Played {
  readonly seed: number;
}

/** Draws and plays the clusters of these seeds, side by side on emulators that share nothing. */
export async function playSeeds(seeds: readonly number[]): Promise<readonly Drawn[]> {
  const played: Drawn[] = [];
  for (const lag of new Set(lags)) {
    const own = seeds.filter((seed) => lagOf(seed) === lag);
    if (own.length === 0) continue;
    const cluster = await SimulatedCluster.start({ lag });
    try {
      const playing = own.map(async (seed) => ({
        seed,
        ...(await play(draw(seed), `seed-${seed}`, cluster)),
      }));
      played.push(...(await cluster.simulation.run(Promise.all(playing))));
    } finally {
      await cluster.stop();
    }
  }
  return played;
}

function lagOf(seed: number): number {
  return lags[seed % lags.length] ?? 0;
}

function draw(seed: number): Scenario {
  const [drawn] = fc.sample(scenario, { seed, numRuns: 1 });
  const [more] = fc.sample(extras, { seed, numRuns: 1 });
  const [after] = fc.sample(stops, { seed, numRuns: 1 });
  const [different] = fc.sample(traits, { seed, numRuns: 1 });
  if (!drawn || !more || !after || !different) throw new Error(`nothing was drawn for seed ${seed}`);
  if (seed < firstWithExtras) return drawn;
  const rich = enrich(drawn, more);
  const stopped = hasStops(seed) ? withStops(rich, after) : rich;
  return seed < firstWithTraits ? stopped : withTraits(stopped, different);
}
