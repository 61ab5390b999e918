/** What a run of random clusters counts. */
export interface Figures {
  readonly clusters: number;
  readonly sweeps: number;
  readonly pods: number;
  /** Finished work that a sweep without `allow` made run again, or restarted. */
  readonly unclean: number;
  /** Jobs and indexes that failed although their mains had succeeded. */
  readonly failed: number;
  readonly outcomes: number;
  /** Outcomes that say they are not known, or that something is under way. */
  readonly unproven: number;
  readonly differences: number;
  /** How many outcomes of each kind there were. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Of a sweep, in milliseconds of the cluster's clock. */
  readonly longest: number;
}

export const noFigures: Figures = {
  clusters: 0,
  sweeps: 0,
  pods: 0,
  unclean: 0,
  failed: 0,
  outcomes: 0,
  unproven: 0,
  differences: 0,
  kinds: {},
  longest: 0,
};

export function sum(one: Figures, other: Figures): Figures {
  return {
    clusters: one.clusters + other.clusters,
    sweeps: one.sweeps + other.sweeps,
    pods: one.pods + other.pods,
    unclean: one.unclean + other.unclean,
    failed: one.failed + other.failed,
    outcomes: one.outcomes + other.outcomes,
    unproven: one.unproven + other.unproven,
    differences: one.differences + other.differences,
    kinds: sumKinds(one.kinds, other.kinds),
    longest: Math.max(one.longest, other.longest),
  };
}

function sumKinds(one: Figures['kinds'], other: Figures['kinds']): Figures['kinds'] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

/** How often each name stands in a list. */
export function countKinds(names: readonly string[]): Figures['kinds'] {
  return names.reduce((counts, name) => sumKinds(counts, { [name]: 1 }), {});
}
