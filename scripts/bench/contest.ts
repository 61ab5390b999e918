import { type Command, type Cost, measure } from './measured.ts';

/** Runs the same work by several ways, one after the other in each round, so that noise meets all alike. */
export interface Contest {
  readonly rounds: number;
  readonly contestants: readonly Contestant[];
  /** The CPU time of the server since it was asked last, in milliseconds. */
  readonly serverCpuMs?: () => Promise<number>;
}

export interface Contestant {
  readonly name: string;
  /** A function is called before the time is measured, for example to fill the cluster anew. */
  readonly command: Command | (() => Promise<Command>);
  /** It takes so long that one round must do. */
  readonly once?: boolean;
  /** Called afterwards for the time that counts, if that is not the whole time of the process. */
  readonly timeOf?: (cost: Cost, beganAt: number) => number | Promise<number>;
}

export interface Result {
  readonly name: string;
  readonly costs: readonly Cost[];
}

/** After this time, no further round begins: what takes long varies little. */
const enoughMs = 60_000;

export async function compete({ rounds, contestants, serverCpuMs }: Contest): Promise<readonly Result[]> {
  const results = contestants.map((contestant) => ({ contestant, costs: [] as Cost[] }));
  const measureAll = async (which: typeof results, title: string) => {
    for (const { contestant, costs } of which) {
      process.stderr.write(`  ${contestant.name}, ${title}\n`);
      costs.push(await run(contestant, serverCpuMs));
    }
  };
  const again = results.filter(({ contestant }) => !contestant.once);
  const once = results.filter(({ contestant }) => contestant.once);
  const began = performance.now();
  for (let round = 0; round < rounds && (round === 0 || performance.now() - began < enoughMs); round++) {
    await measureAll(again, `round ${round + 1} of ${rounds}`);
  }
  // Last, so that they do not take the others' rounds.
  await measureAll(once, 'once');
  return results.map(({ contestant, costs }) => ({ name: contestant.name, costs }));
}

async function run({ command, timeOf }: Contestant, serverCpuMs: Contest['serverCpuMs']): Promise<Cost> {
  const prepared = typeof command === 'function' ? await command() : command;
  await serverCpuMs?.();
  const beganAt = Date.now();
  const cost = await measure(prepared);
  const serverShare = ((await serverCpuMs?.()) ?? Number.NaN) / cost.wallMs;
  return { ...cost, serverShare, wallMs: (await timeOf?.(cost, beganAt)) ?? cost.wallMs };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
