import { median, type Result } from './contest.ts';
import type { Cost } from './measured.ts';

/** One part of the benchmark. */
export interface Part {
  /** What each peer took, by its name. */
  readonly ratios: Readonly<Record<string, Ratio>>;
  /** The medians of all ways; the first is the sweeper's. */
  readonly rows: readonly [Row, ...Row[]];
  /** The peers that would have taken too long or too much memory, and why. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** What else is worth knowing, such as an exit code. */
  readonly facts: Readonly<Record<string, number>>;
}

/** Divided by what the sweeper took: more than 1 means that the sweeper is ahead. */
export interface Ratio {
  /** Of the medians. */
  readonly value: number;
  /** The least and the most in a single round. */
  readonly spread: readonly [least: number, most: number];
}

export interface Row {
  readonly name: string;
  /** Under which name it is compared with the sweeper. */
  readonly ratio?: string;
  readonly rounds: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
  /** CPU time of the emulator, divided by the time of the command; 1 is one core. */
  readonly serverShare?: number;
}

/** The peers' share of a part: under which name each is compared, in time and in memory. */
export function toPart(results: readonly Result[], peers: Readonly<Record<string, string>>): Part {
  const [ours, ...others] = results;
  if (!ours) throw new Error('nothing was run');
  const compared = others.flatMap((theirs) => {
    const name = peers[theirs.name];
    if (name === undefined) return [];
    const time = ratioOf(ours, theirs, ({ wallMs }) => wallMs);
    const memory = ratioOf(ours, theirs, ({ peakMiB }) => peakMiB);
    return [[name, time] as const, [`${name}Memory`, memory] as const];
  });
  return {
    // Without those that could not be measured.
    ratios: Object.fromEntries(compared.filter(([, { value }]) => !Number.isNaN(value))),
    rows: [toRow(ours), ...others.map((result) => toRow(result, peers[result.name]))],
    leftOut: {},
    facts: {},
  };
}

export function ratioOf(ours: Result, theirs: Result, of: (cost: Cost) => number): Ratio {
  const own = ours.costs.map(of);
  const single = theirs.costs.map((cost, round) => of(cost) / (own[round] ?? median(own)));
  return {
    value: rounded(median(theirs.costs.map(of)) / median(own)),
    spread: [rounded(Math.min(...single)), rounded(Math.max(...single))],
  };
}

/** As `--json` prints it: the ratios under their names, and the sweeper's own cost. */
export function toJson({ ratios, rows, leftOut, facts }: Part): object {
  const { wallMs, cpuMs, peakMiB, rounds } = rows[0];
  const each = (of: (ratio: Ratio) => unknown) =>
    Object.fromEntries(Object.entries(ratios).map(([name, ratio]) => [name, of(ratio)]));
  const own = { wallMs, cpuMs, peakMiB, ...facts, rounds };
  return { ...each(({ value }) => value), ...own, spread: each(({ spread }) => spread), leftOut, rows };
}

function toRow({ name, costs }: Result, ratio?: string): Row {
  const of = (value: (cost: Cost) => number) => rounded(median(costs.map(value)));
  const serverShare = of((cost) => cost.serverShare);
  return {
    name,
    ...(ratio !== undefined && { ratio }),
    rounds: costs.length,
    wallMs: of(({ wallMs }) => wallMs),
    cpuMs: of(({ cpuMs }) => cpuMs),
    peakMiB: of(({ peakMiB }) => peakMiB),
    ...(Number.isNaN(serverShare) ? {} : { serverShare }),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
