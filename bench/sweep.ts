import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Contestant, compete, type Result } from './contest.ts';
import type { Command, Cost } from './measured.ts';
import { type Part, ratioOf, toPart, type Where, withRatios } from './part.ts';
import type { PodName, SidecarKind } from './pods.ts';
import { peer, sweeper } from './scan.ts';

/** A cluster whose pods can be made stuck again, as often as they are swept. */
export interface Site {
  readonly pods: readonly PodName[];
  readonly sidecar: SidecarKind;
  /** What the sweep is told besides the kubeconfig. */
  readonly flags: readonly string[];
  /** Makes the pods stuck. */
  refill(): Promise<Where>;
  /** How many of them are still stuck. */
  stillStuck(): Promise<number>;
  readonly serverCpuMs?: () => Promise<number>;
  /** How long a sweep must wait, beside its requests; missing if that is unknown. */
  readonly waitsMs?: number;
}

const concurrency = 20;
const mostWithKubectl = 100;
/** Of a slot-holding sweep: how long it may take, and how long it takes for one pod. */
const mostHoldingMs = 40_000;
const holdingMs: Readonly<Record<SidecarKind, number>> = { clean: 600, slow: 2_500, stubborn: 3_100 };

/** Ends the sidecars of stuck pods, beside what one would do without the sweeper, and beside the requests alone. */
export async function benchSweep(site: Site, rounds: number, hasKubectl: boolean): Promise<Part> {
  const { pods, sidecar, serverCpuMs, waitsMs } = site;
  const leftOut: Record<string, string> = {};
  const contestants: Contestant[] = [ours(site), bareLoop(site)];
  const holds = (holdingMs[sidecar] * pods.length) / concurrency;
  if (holds <= mostHoldingMs) contestants.push(slotHolding(site));
  else leftOut['vsSlotHolding'] = `would take about ${Math.round(holds / 1_000)} s`;
  if (!hasKubectl) leftOut['vsXargsKubectl'] = 'kubectl is not installed';
  else if (pods.length <= mostWithKubectl) contestants.push(xargsKubectl(site));
  else leftOut['vsXargsKubectl'] = `starts a process for each of ${pods.length} pods`;

  const results = await compete({ rounds, contestants, ...(serverCpuMs && { serverCpuMs }) });
  const part = toPart(results, {
    [names.bare]: 'vsBareLoop',
    [names.holding]: 'vsSlotHolding',
    [names.xargs]: 'vsXargsKubectl',
  });
  const facts = { pods: pods.length };
  if (waitsMs === undefined) return { ...part, leftOut, facts };
  const [sweeps, bare] = results as [Result, Result];
  const costs = sweeps.costs.map((cost) => ({ ...cost, wallMs: cost.wallMs - waitsMs }));
  const beyond = ratioOf('withoutWaitsOverBareLoop', bare, { ...sweeps, costs }, ({ wallMs }) => wallMs);
  return { ...withRatios(part, [beyond]), leftOut, facts: { ...facts, waitsMs } };
}

const names = {
  bare: 'GET, exec, GET in a bare loop',
  holding: 'TERM, wait, next pod',
  xargs: 'xargs -P kubectl exec',
} as const;

function ours(site: Site): Contestant {
  const ends = site.sidecar !== 'stubborn';
  return {
    name: 'sidecar-sweeper',
    command: async () => sweep(await site.refill(), site.flags, [ends ? 0 : 4]),
    timeOf: async ({ wallMs }) => {
      const left = await site.stillStuck();
      if (left !== (ends ? 0 : site.pods.length))
        throw new Error(`${left} pods are still stuck after a sweep`);
      return wallMs;
    },
  };
}

export function sweep(
  { kubeconfigFile }: Where,
  flags: readonly string[],
  exitCodes: Command['exitCodes'] & {},
): Command {
  const always = [
    '--no-lock',
    '--min-age',
    '0s',
    '--max-pods',
    '1000000',
    '--log-level',
    'error',
    '-o',
    'json',
  ];
  return {
    program: process.execPath,
    args: [sweeper, '--kubeconfig', kubeconfigFile, ...always, '--concurrency', `${concurrency}`, ...flags],
    exitCodes,
  };
}

const printedMs = ({ stdout }: Cost) => Number(stdout);

function bareLoop(site: Site): Contestant {
  const signals = site.sidecar === 'stubborn' ? ['TERM', 'KILL'] : ['TERM'];
  return {
    name: names.bare,
    command: async () => loop('bare-loop.mjs', await site.refill(), site.pods, signals),
    timeOf: printedMs,
  };
}

function slotHolding(site: Site): Contestant {
  return {
    name: names.holding,
    command: async () => loop('slot-holding.mjs', await site.refill(), site.pods),
    once: true,
    timeOf: printedMs,
  };
}

async function loop(
  script: string,
  where: Where,
  pods: readonly PodName[],
  signals: readonly string[] = [],
): Promise<Command> {
  const file = await listOf(where, pods);
  return { ...peer(script, where, [file, `${concurrency}`, ...signals]), keep: true };
}

function xargsKubectl(site: Site): Contestant {
  return {
    name: names.xargs,
    command: async () => {
      const where = await site.refill();
      const kubectl = `kubectl --kubeconfig "$0" exec -c sidecar -n "$1" "$2" -- kill -15 1`;
      return {
        program: 'xargs',
        args: [
          '-P',
          `${concurrency}`,
          '-L',
          '1',
          '-a',
          await listOf(where, site.pods),
          'sh',
          '-c',
          kubectl,
          where.kubeconfigFile,
        ],
        // An exec that ends its container may end with 137, and xargs with 123.
        exitCodes: [0, 123],
        delegates: true,
      };
    },
    once: true,
  };
}

/** A file with a line for each pod. */
async function listOf({ kubeconfigFile }: Where, pods: readonly PodName[]): Promise<string> {
  const file = join(dirname(kubeconfigFile), 'pods');
  await writeFile(file, pods.map(({ namespace, name }) => `${namespace} ${name}\n`).join(''));
  return file;
}
