import { countKinds } from '../counts.ts';
import type { SweepReport } from '../schema.ts';

type OfCluster = SweepReport['cluster'];

export interface KnownCluster extends Pick<OfCluster, 'context' | 'server' | 'uid'> {
  /** Tells it from all others. */
  readonly id: string;
  /** The same for people. */
  readonly name: string;
}

/** What tells clusters apart, the surest first. */
const marks = ['uid', 'name', 'server', 'context'] as const;
type Mark = (typeof marks)[number];

/** Long enough to tell uids apart that people see side by side, as with commits. */
const shortUid = 8;

/**
 * Clusters by their uids. A report without one is of the cluster that has its name or, without a name, its server; if several
 * have, it counts as a cluster of its own. A report that no server has answered goes by its context.
 */
export class Clusters {
  /** The cluster of each id, as its first report has it. */
  readonly #all = new Map<string, OfCluster>();
  /** The ids of the clusters that have a mark. */
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
    return { id, name: this.#names.get(id) ?? context, context, server, uid };
  }

  #idOf(one: OfCluster): string {
    const own = markOf(one, surest(one));
    const [id = own, ...others] = this.#ids.get(own) ?? [];
    return others.length === 0 ? id : own;
  }

  #add(id: string, one: OfCluster): void {
    this.#all.set(id, { ...one, ...this.#all.get(id) });
    for (const key of marks.flatMap((mark) => (one[mark] ? markOf(one, mark) : []))) {
      this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(id));
    }
  }
}

function surest(one: OfCluster): Mark {
  return marks.find((mark) => one[mark]) ?? 'context';
}

function markOf(one: OfCluster, mark: Mark): string {
  return `${mark} ${one[mark]}`;
}

/** The first word for each that is for no other: what the policy calls it, its context, its server, its uid. */
function namesOf(all: ReadonlyMap<string, OfCluster>): ReadonlyMap<string, string> {
  const words = [...all].map(([id, { name = '', context, server, uid = '' }]) => {
    const own = new Set([name, context, server, uid.slice(0, shortUid), uid].filter((word) => word !== ''));
    return { id, otherwise: server || context, own: [...own] };
  });
  const times = countKinds(words.flatMap(({ own }) => own));
  return new Map(
    words.map(({ id, own, otherwise }) => [id, own.find((word) => times[word] === 1) ?? otherwise]),
  );
}
