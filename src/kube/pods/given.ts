import type { PodBatch } from './list-body.ts';
import { Uids } from './uids.ts';

/**
 * What a list has given already, so that a list that begins again gives nothing twice. A set of 150,000 uids takes 18 MB, and is
 * made only if it is needed.
 */
export class Given {
  /** Those of which a container has ended are few, and one that the server repeats would be swept twice. */
  readonly #pods = new Set<string>();
  readonly #atWork = new Uids();
  readonly #malformed: string[] = [];
  #known: ReadonlySet<string> = new Set();

  get isNothing(): boolean {
    return this.#pods.size + this.#malformed.length === 0 && this.#atWork.isEmpty;
  }

  /** What comes from now on may have been given before. */
  beginAgain(): void {
    this.#known = new Set([...this.#atWork, ...this.#malformed]);
  }

  /** The part of a batch that has not been given yet. */
  fresh({ pods, malformed, atWork }: PodBatch): PodBatch {
    const known = this.#known;
    const fresh: PodBatch = {
      pods: pods.filter(({ ref }) => !known.has(ref.uid) && this.#isFirst(ref.uid)),
      malformed: malformed.filter((one) => !known.has(keyOf(one))),
      atWork: atWork.filter(({ uid }) => !known.has(uid) && !this.#pods.has(uid)),
    };
    this.#atWork.add(fresh.atWork.map(({ uid }) => uid));
    for (const one of fresh.malformed) this.#malformed.push(keyOf(one));
    return fresh;
  }

  #isFirst(uid: string): boolean {
    return this.#pods.size < this.#pods.add(uid).size;
  }
}

/** No uid has a slash. */
function keyOf({ namespace, name }: PodBatch['malformed'][number]): string {
  return `${namespace}/${name}`;
}
