import type { Millis } from '../duration.ts';
import type { HarmKind } from '../model/job.ts';
import type { KnownCluster } from '../report/clusters.ts';
import type { ImageOf, Sighting } from './sighting.ts';

/** What all sweeps together say about a pod. */
export interface Story {
  readonly cluster: KnownCluster;
  readonly firstSeenAt: Millis;
  readonly lastSeenAt: Millis;
  readonly sweeps: number;
  /** Which series of sweeps have seen it. */
  readonly series: ReadonlySet<string>;
  /** As first seen: later on, the image of one may be swapped. */
  readonly sidecars: readonly ImageOf[];
  /** As last seen. */
  readonly last: Sighting;
  readonly harm: HarmKind | undefined;
}

/** A sighting, and who had it. */
export interface Seen {
  readonly cluster: KnownCluster;
  readonly series: string;
  readonly at: Millis;
  readonly sighting: Sighting;
}

/** Collects what sweeps say about pods, one sweep after the other. */
export class Stories {
  readonly #byPod = new Map<string, Story>();

  hear(seen: Seen): void {
    const key = keyOf(seen);
    const before = this.#byPod.get(key);
    this.#byPod.set(key, before ? continued(before, seen) : begun(seen));
  }

  all(): readonly Story[] {
    return [...this.#byPod.values()];
  }
}

/** Reports of earlier versions do not have the uids of pods that wait to start. */
function keyOf({ cluster, sighting: { uid, namespace, name, mainsEndedAt } }: Seen): string {
  return `${cluster.id} ${uid ?? `${namespace}/${name} ${mainsEndedAt}`}`;
}

function begun({ cluster, series, at, sighting }: Seen): Story {
  const { sidecars, harm } = sighting;
  return {
    cluster,
    firstSeenAt: at,
    lastSeenAt: at,
    sweeps: 1,
    series: new Set([series]),
    sidecars,
    last: sighting,
    harm,
  };
}

function continued(story: Story, { series, at, sighting }: Seen): Story {
  return {
    ...story,
    lastSeenAt: at,
    sweeps: story.sweeps + 1,
    series: story.series.has(series) ? story.series : new Set([...story.series, series]),
    last: sighting,
    harm: sighting.harm ?? story.harm,
  };
}
