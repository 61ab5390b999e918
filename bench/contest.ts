import { type Command, type Cost, measure } from './measured.ts';

/** Runs the same work by several ways, one after the other in each round, so that noise meets all alike. */
export interface Contest {
  readonly rounds: number;
  readonly contestants: readonly Contestant[];
  /** What has to be done before each run, such as filling a cluster. */
  prepare?(contestant: Contestant, round: number): Promise<Command>;
}

export interface Contestant {
  readonly name: string;
  readonly command: Command;
  /** It takes so long that one round must do. */
  readonly once?: boolean;
}

export interface Result {
  readonly name: string;
  readonly costs: readonly Cost[];
}

export async function compete({ rounds, contestants, prepare }: Contest): Promise<readonly Result[]> {
  const costs = new Map<string, Cost[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const contestant of contestants) {
      if (contestant.once && round > 0) continue;
      const command = (await prepare?.(contestant, round)) ?? contestant.command;
      process.stderr.write(`  ${contestant.name}, round ${round + 1} of ${contestant.once ? 1 : rounds}\n`);
      costs.get(contestant.name)?.push(await measure(command));
    }
  }
  return contestants.map(({ name }) => ({ name, costs: costs.get(name) ?? [] }));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
