import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contestant, compete, type Result } from './contest.ts';
import { type Part, ratioOf, toPart, withRatios } from './part.ts';
import type { PodName, SidecarKind } from './pods.ts';
import { bareLoop, concurrency, names, ours, type Site, slotHolding, xargsKubectl } from './sweep-ways.ts';

const mostWithKubectl = 100;
/** Of a slot-holding sweep: how long it may take, and how long it takes for one pod. */
const mostHoldingMs = 40_000;
const holdingMs: Readonly<Record<SidecarKind, number>> = { clean: 600, slow: 2_500, stubborn: 3_100 };

/** Ends the sidecars of stuck pods, beside what one would do without the sweeper, and beside the requests alone. */
export async function benchSweep(site: Site, rounds: number, hasKubectl: boolean): Promise<Part> {
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-bench-'));
  try {
    const { contestants, leftOut } = waysOf(site, await listOf(site.pods, folder), hasKubectl);
    const { serverCpuMs } = site;
    const results = await compete({ rounds, contestants, ...(serverCpuMs && { serverCpuMs }) });
    return { ...compared(site, results), leftOut };
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Ways {
  readonly contestants: readonly Contestant[];
  readonly leftOut: Part['leftOut'];
}

function waysOf(site: Site, podsFile: string, hasKubectl: boolean): Ways {
  const { pods, sidecar } = site;
  const contestants = [ours(site), bareLoop(site, podsFile)];
  const leftOut: Record<string, string> = {};
  const holds = (holdingMs[sidecar] * pods.length) / concurrency;
  if (holds <= mostHoldingMs) contestants.push(slotHolding(site, podsFile));
  else leftOut['vsSlotHolding'] = `would take about ${Math.round(holds / 1_000)} s`;
  if (!hasKubectl) leftOut['vsXargsKubectl'] = 'kubectl is not installed';
  else if (pods.length <= mostWithKubectl) contestants.push(xargsKubectl(site, podsFile));
  else leftOut['vsXargsKubectl'] = `would start ${pods.length} processes`;
  return { contestants, leftOut };
}

function compared({ pods, waitsMs }: Site, results: readonly Result[]): Part {
  const part = toPart(results, {
    [names.bare]: 'vsBareLoop',
    [names.holding]: 'vsSlotHolding',
    [names.xargs]: 'vsXargsKubectl',
  });
  const facts = { pods: pods.length };
  if (waitsMs === undefined) return { ...part, facts };
  const [sweeps, bare] = results as [Result, Result];
  const costs = sweeps.costs.map((cost) => ({ ...cost, wallMs: cost.wallMs - waitsMs }));
  const beyond = ratioOf('withoutWaitsOverBareLoop', bare, { ...sweeps, costs }, ({ wallMs }) => wallMs);
  return { ...withRatios(part, [beyond]), facts: { ...facts, waitsMs } };
}

/** A file with a line for each pod. */
async function listOf(pods: readonly PodName[], folder: string): Promise<string> {
  const file = join(folder, 'pods');
  await writeFile(file, pods.map(({ namespace, name }) => `${namespace} ${name}\n`).join(''));
  return file;
}
