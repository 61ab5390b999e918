import type { PodBatch } from './list-body.ts';

/**
 * What a list has given already, so that a list that begins again gives nothing twice. Joined, the uids of
 * 150,000 pods take 6 MB; a set of them takes three times as much, and is made only if it is needed.
 */
export class Given {
  #uids: string[] = [];
  #malformed: string[] = [];
  #known: ReadonlySet<string> = new Set();

  get isNothing(): boolean {
    return this.#uids.length === 0;
  }

  /** What comes from now on may have been given before. */
  beginAgain(): void {
    this.#known = new Set([...this.#uids.flatMap((batch) => batch.split(' ')), ...this.#malformed]);
  }

  /** The part of a batch that has not been given yet. */
  fresh({ pods, malformed, atWork }: PodBatch): PodBatch {
    const known = this.#known;
    const fresh: PodBatch =
      known.size === 0
        ? { pods, malformed, atWork }
        : {
            pods: pods.filter(({ ref }) => !known.has(ref.uid)),
            malformed: malformed.filter((one) => !known.has(keyOf(one))),
            atWork: atWork.filter(({ uid }) => !known.has(uid)),
          };
    const uids = [...fresh.pods.map(({ ref }) => ref.uid), ...fresh.atWork.map(({ uid }) => uid)];
    this.#uids.push(uids.join(' '));
    for (const one of fresh.malformed) this.#malformed.push(keyOf(one));
    return fresh;
  }
}

/** No uid has a slash. */
function keyOf({ namespace, name }: PodBatch['malformed'][number]): string {
  return `${namespace}/${name}`;
}
