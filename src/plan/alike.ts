import type { ContainerView } from '../model/pod.ts';
import { Interned } from '../util/interned.ts';

/** A name for how a container is started, the same for all that are started alike. */
export type Likeness = (container: ContainerView) => string;

/** Of fewer containers than this, nobody can tell an identifier from a setting. */
const enough = 16;

/**
 * Which containers are started alike: those of one image with the same command and arguments, but for words that identify a run.
 * A word does so if it looks like it (a UUID, a long number), or if most of many containers have one of their own in its place:
 * a setting has few values, and an identifier has as many as there are runs.
 */
export function likenessOf(population: readonly ContainerView[]): Likeness {
  return likenessAmong(population.map(startOf));
}

/** The same, of containers that were read before. */
export function likenessAmong(population: readonly Start[]): Likeness {
  const groups = new Map<string, (readonly string[])[]>();
  for (const { skeleton, words } of population) {
    const group = groups.get(skeleton);
    if (group) group.push(words);
    else groups.set(skeleton, [words]);
  }
  const identifying = new Map([...groups].map(([skeleton, all]) => [skeleton, placesOfIdentifiers(all)]));
  const names = new Interned<string>();
  return (container) => {
    const { skeleton, words } = startOf(container);
    const places = identifying.get(skeleton);
    return names.of(
      JSON.stringify([skeleton, words.map((word, place) => (places?.has(place) ? '*' : word))]),
    );
  };
}

/** How a container is started. */
export interface Start {
  /** All but the words: the image, and what stands between them. */
  readonly skeleton: string;
  readonly words: readonly string[];
}

export function startOf({ image, command, args }: ContainerView): Start {
  const line = JSON.stringify([command ?? null, args ?? null]);
  const parts = line.split(/([\w.-]+)/);
  const words = parts.filter((_part, index) => index % 2 === 1).map(mask);
  return { skeleton: [image, ...parts.filter((_part, index) => index % 2 === 0)].join(' '), words };
}

const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi;
const longNumber = /\d{6,}/g;

function mask(word: string): string {
  return word.replace(uuid, '*').replace(longNumber, '*');
}

function placesOfIdentifiers(all: readonly (readonly string[])[]): ReadonlySet<number> {
  const places = new Set<number>();
  if (all.length < enough) return places;
  for (const place of all[0]?.keys() ?? []) {
    const distinct = new Set(all.map((words) => words[place]));
    if (distinct.size > all.length / 2) places.add(place);
  }
  return places;
}
