import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compete, type Result } from './contest.ts';
import type { Site } from './emulated.ts';
import { type Part, ratioOf, toPart, withRatios } from './part.ts';
import type { PodName, SidecarKind } from './pods.ts';
import { bareLoop, concurrency, names, ours, promise, promised, slotHolding } from './sweep-ways.ts';

/** Of a slot-holding sweep: how long it may take, and how long it takes for one pod. */
const mostHoldingMs = 40_000;
const holdingMs: Readonly<Record<SidecarKind, number>> = { clean: 600, slow: 2_500, stubborn: 3_100 };

/** Ends the sidecars of stuck pods, beside what one would do without the sweeper, and beside the requests alone. */
export async function benchSweep(site: Site, rounds: number): Promise<Part> {
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-bench-'));
  try {
    const podsFile = await listOf(site.pods, folder);
    const policyFile = join(folder, 'policy.json');
    await writeFile(policyFile, JSON.stringify(promise));
    const holds = (holdingMs[site.sidecar] * site.pods.length) / concurrency;
    const isTooLong = holds > mostHoldingMs;
    const results = await compete({
      rounds,
      contestants: [
        ours(site),
        bareLoop(site, podsFile),
        // Without a Job, an unclean end of a stubborn sidecar would cost nothing.
        ...(site.sidecar === 'stubborn' ? [] : [promised(site, policyFile)]),
        ...(isTooLong ? [] : [slotHolding(site, podsFile)]),
      ],
      serverCpuMs: site.serverCpuMs,
    });
    const why = `would take about ${Math.round(holds / 1_000)} s`;
    return { ...compared(site, results), leftOut: isTooLong ? { vsSlotHolding: why } : {} };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function compared({ pods, waitsMs }: Site, results: readonly Result[]): Part {
  const part = toPart(results, {
    [names.bare]: 'vsBareLoop',
    [names.promised]: 'vsPromises',
    [names.holding]: 'vsSlotHolding',
  });
  const [sweeps, bare] = results as [Result, Result];
  const costs = sweeps.costs.map((cost) => ({ ...cost, wallMs: cost.wallMs - waitsMs }));
  const beyond = ratioOf('withoutWaitsOverBareLoop', bare, { ...sweeps, costs }, ({ wallMs }) => wallMs);
  return { ...withRatios(part, [beyond]), facts: { pods: pods.length, waitsMs } };
}

/** A file with a line for each pod. */
async function listOf(pods: readonly PodName[], folder: string): Promise<string> {
  const file = join(folder, 'pods');
  await writeFile(file, pods.map(({ namespace, name }) => `${namespace} ${name}\n`).join(''));
  return file;
}
