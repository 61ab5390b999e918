import { type Contestant, compete } from './contest.ts';
import { type Emulated, emulatedSite, onlyStuck } from './emulated.ts';
import type { Command } from './measured.ts';
import { type Part, toPart } from './part.ts';
import { type Site, sweep } from './sweep-ways.ts';

const shardCounts = [1, 2, 4, 8] as const;

/** Sweeps the same pods by one process, and by several side by side, each with a shard of them. */
export async function benchShards(emulated: Emulated, pods: number, rounds: number): Promise<Part> {
  const site = emulatedSite(emulated, onlyStuck(pods, 'clean'));
  const results = await compete({
    rounds,
    contestants: shardCounts.map((shards) => sweptBy(shards, site)),
    ...(site.serverCpuMs && { serverCpuMs: site.serverCpuMs }),
  });
  const others = shardCounts.slice(1).map((shards) => [nameOf(shards), `vs${shards}Shards`]);
  return { ...toPart(results, Object.fromEntries(others)), facts: { pods } };
}

function sweptBy(shards: number, site: Site): Contestant {
  return {
    name: nameOf(shards),
    async command() {
      const where = await site.refill();
      return shards === 1 ? sweep(where, [], [0]) : sideBySide(shards, sweep(where, [], [0]));
    },
    timeOf: async ({ wallMs }) => {
      const left = await site.stillStuck();
      if (left > 0) throw new Error(`${left} pods are stuck after the sweep by ${shards} shards`);
      return wallMs;
    },
  };
}

function nameOf(shards: number): string {
  return shards === 1 ? 'one process' : `${shards} shards side by side`;
}

/** Ends with 0 only if each of the processes does. */
function sideBySide(shards: number, { program, args, exitCodes }: Command): Command {
  const start = 'for i in $(seq 0 $(($n - 1))); do "$@" --shard $i/$n & pids="$pids $!"; done';
  const wait = 'for pid in $pids; do wait $pid || exit 1; done';
  return {
    program: 'sh',
    args: ['-c', `n=$0; ${start}; ${wait}`, `${shards}`, program, ...args],
    ...(exitCodes && { exitCodes }),
    delegates: true,
  };
}
