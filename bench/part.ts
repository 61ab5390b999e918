import { median, type Result } from './contest.ts';
import type { Cost } from './measured.ts';
import type { Access } from './server.ts';

/** One part of the benchmark, as `--json` prints it. */
export interface Part {
  /** What the sweeper took: medians over the rounds. */
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
  /** What each peer took, divided by what the sweeper took: more than 1 means that the sweeper is ahead. */
  readonly ratios: Readonly<Record<string, number>>;
  /** The least and the most of each ratio in a single round. */
  readonly spread: Readonly<Record<string, readonly [least: number, most: number]>>;
  /** The medians of all, for the table. */
  readonly rows: readonly Row[];
}

export interface Row {
  readonly name: string;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
}

export interface Where {
  readonly access: Access;
  readonly kubeconfigFile: string;
}

/** The peers' share of a part: under which name each is compared, in time and in memory. */
export function toPart(results: readonly Result[], peers: Readonly<Record<string, string>>): Part {
  const [ours] = results;
  if (!ours) throw new Error('nothing was run');
  const ratios: Record<string, number> = {};
  const spread: Record<string, readonly [number, number]> = {};
  const compare = (name: string, theirs: Result, of: (cost: Cost) => number) => {
    const own = ours.costs.map(of);
    const single = theirs.costs.map((cost, round) => of(cost) / (own[round] ?? median(own)));
    ratios[name] = rounded(median(theirs.costs.map(of)) / median(own));
    spread[name] = [rounded(Math.min(...single)), rounded(Math.max(...single))];
  };
  for (const theirs of results.slice(1)) {
    const name = peers[theirs.name];
    if (name === undefined) continue;
    compare(name, theirs, ({ wallMs }) => wallMs);
    compare(`${name}Memory`, theirs, ({ peakMiB }) => peakMiB);
  }
  const rows = results.map(toRow);
  const { wallMs, cpuMs, peakMiB } = toRow(ours);
  return { wallMs, cpuMs, peakMiB, ratios, spread, rows };
}

function toRow({ name, costs }: Result): Row {
  const of = (value: (cost: Cost) => number) => rounded(median(costs.map(value)));
  return {
    name,
    wallMs: of(({ wallMs }) => wallMs),
    cpuMs: of(({ cpuMs }) => cpuMs),
    peakMiB: of(({ peakMiB }) => peakMiB),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
