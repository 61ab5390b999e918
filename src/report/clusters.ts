import type { SweepReport } from './schema.ts';

type OfCluster = SweepReport['cluster'];

/** A cluster, as reports know it. */
export interface KnownCluster extends Pick<OfCluster, 'context' | 'server' | 'uid'> {
  /** Tells it from all others. */
  readonly id: string;
  /** The same for people. */
  readonly name: string;
}

/** What tells clusters apart, the surest first. */
const marks = ['uid', 'name', 'server', 'context'] as const;

/**
 * Clusters by their uids. A report without one is of the cluster that has its name or, without a name, its server; if several
 * have, nobody knows of which. A report that no server has answered goes by its context.
 */
export class Clusters {
  /** The cluster of each id, as its first report has it. */
  readonly #all = new Map<string, OfCluster>();
  /** Who has a mark. */
  readonly #ids = new Map<string, Set<string>>();
  readonly #names: ReadonlyMap<string, string>;

  constructor(all: readonly OfCluster[]) {
    for (const mark of marks) {
      const found = all.filter((one) => surest(one) === mark);
      for (const [id, one] of found.map((one) => [this.#idOf(one), one] as const)) this.#add(id, one);
    }
    this.#names = namesOf(this.#all);
  }

  of(one: OfCluster): KnownCluster {
    const id = this.#idOf(one);
    const { context, server, uid } = this.#all.get(id) ?? one;
    const name = this.#names.get(id) ?? context;
    return { id, name, context, server, ...(uid !== undefined && { uid }) };
  }

  #idOf(one: OfCluster): string {
    const own = markOf(one, surest(one));
    const [id = own, ...others] = this.#ids.get(own) ?? [];
    return others.length === 0 ? id : own;
  }

  #add(id: string, one: OfCluster): void {
    this.#all.set(id, { ...one, ...this.#all.get(id) });
    for (const mark of marks) {
      if (!one[mark]) continue;
      const key = markOf(one, mark);
      this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(id));
    }
  }
}

function surest(one: OfCluster): (typeof marks)[number] {
  return marks.find((mark) => one[mark]) ?? 'context';
}

function markOf(one: OfCluster, mark: (typeof marks)[number]): string {
  return `${mark} ${one[mark]}`;
}

/** Of each, the first word for it that is for no other. */
function namesOf(all: ReadonlyMap<string, OfCluster>): ReadonlyMap<string, string> {
  const words = new Map([...all].map(([id, one]) => [id, wordsFor(one)]));
  const times = new Map<string, number>();
  for (const word of [...words.values()].flatMap((own) => [...own])) {
    times.set(word, (times.get(word) ?? 0) + 1);
  }
  return new Map(
    [...all].map(([id, { context, server }]) => {
      const own = [...(words.get(id) ?? [])].find((word) => times.get(word) === 1);
      return [id, own ?? (server || context)];
    }),
  );
}

/** Long enough to tell uids apart that people see side by side, as with commits. */
const ofUid = 8;

function wordsFor({ name = '', context, server, uid = '' }: OfCluster): ReadonlySet<string> {
  return new Set([name, context, server, uid.slice(0, ofUid), uid].filter((word) => word !== ''));
}
