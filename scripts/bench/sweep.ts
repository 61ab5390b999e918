import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contestant, compete, type Result } from './contest.ts';
import type { Emulated, Place } from './emulated.ts';
import type { Command } from './measured.ts';
import { type Part, ratioOf, toPart } from './part.ts';
import { type Filling, graceMs, type SidecarKind, stuckOf } from './pods.ts';
import { peer, sweeper, sweeperEnv } from './scan.ts';

const names = {
  promised: 'the same, with promised exit codes',
  bare: 'GET, exec, GET in a bare loop',
  holding: 'TERM, wait, next pod',
} as const;

const concurrency = 20;

/** A node has 110 pods at most. https://kubernetes.io/docs/setup/best-practices/cluster-large/ */
const podsOfNode = 100;

/** The emulator's delays, which are those of a recorded cluster. The last pod is proved when its Job has counted it. */
const untilCounted = 300 + 1_150 + 1_000;

/** How long a sweep must wait, beside its requests: for the ends, or the graces of pods that do not end. */
const waits: Readonly<Record<SidecarKind, number>> = {
  clean: untilCounted,
  slow: 2_000 + untilCounted,
  stubborn: graceMs.TERM + graceMs.KILL,
};

const promise = {
  apiVersion: 'sidecar-sweeper.dev/v1',
  kind: 'SweepPolicy',
  rules: [
    {
      name: 'bench',
      role: 'Sidecar',
      containers: ['sidecar'],
      images: ['local/sidecar'],
      exitsWithZero: true,
    },
  ],
};

/** Ends the sidecars of stuck pods, beside what one would do without the sweeper, and beside the requests alone. */
export async function benchSweep(
  emulated: Emulated,
  pods: number,
  sidecar: SidecarKind,
  rounds: number,
): Promise<Part> {
  const filling: Filling = {
    prefix: 'bench',
    namespaces: 20,
    nodes: Math.ceil(pods / podsOfNode),
    pods,
    running: pods,
    stuck: pods,
    sidecar,
    // A sidecar that never ends makes no difference to a Job.
    jobs: sidecar !== 'stubborn',
  };
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-bench-'));
  try {
    const podsFile = join(folder, 'pods');
    const lines = stuckOf(filling).map(({ namespace, name }) => `${namespace} ${name}\n`);
    await writeFile(podsFile, lines.join(''));
    const policyFile = join(folder, 'policy.json');
    await writeFile(policyFile, JSON.stringify(promise));
    const isQuick = pods === 1_000 && sidecar === 'clean';
    const inLoop = (name: string, script: string, ...signals: readonly string[]) =>
      loop(name, emulated, filling, script, [podsFile, `${concurrency}`, ...signals]);
    const signals = sidecar === 'stubborn' ? ['TERM', 'KILL'] : ['TERM'];
    const results = await compete({
      rounds,
      contestants: [
        ours(emulated, filling),
        inLoop(names.bare, 'bare-loop.mjs', ...signals),
        // Without a Job, an unclean end of a stubborn sidecar would cost nothing.
        ...(sidecar === 'stubborn' ? [] : [promised(emulated, filling, policyFile)]),
        ...(isQuick ? [{ ...inLoop(names.holding, 'slot-holding.mjs'), once: true }] : []),
      ],
      serverCpuMs: emulated.server.cpuMs,
    });
    const leftOut = isQuick ? {} : { vsSlotHolding: 'would take minutes' };
    return { ...compared(results, waits[sidecar]), facts: { pods, waitsMs: waits[sidecar] }, leftOut };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function compared(results: readonly Result[], waitsMs: number): Part {
  const part = toPart(results, {
    [names.bare]: 'vsBareLoop',
    [names.promised]: 'vsPromises',
    [names.holding]: 'vsSlotHolding',
  });
  const [sweeps, bare] = results as [Result, Result];
  const costs = sweeps.costs.map((cost) => ({ ...cost, wallMs: cost.wallMs - waitsMs }));
  const withoutWaitsOverBareLoop = ratioOf(bare, { ...sweeps, costs }, ({ wallMs }) => wallMs);
  return { ...part, ratios: { ...part.ratios, withoutWaitsOverBareLoop } };
}

/** The sweeper, which is only compared if it did its work. */
function ours({ server, fill }: Emulated, filling: Filling): Contestant {
  const ends = filling.sidecar !== 'stubborn';
  const expected = ends ? 0 : filling.stuck;
  return {
    name: 'sidecar-sweeper',
    command: async () => sweep(await fill(filling), [], [ends ? 0 : 4]),
    timeOf: async ({ wallMs }) => {
      const { stuck } = await server.outcome();
      if (stuck !== expected)
        throw new Error(`${stuck} pods are stuck after the sweep instead of ${expected}`);
      return wallMs;
    },
  };
}

/** A sweep that trusts a rule of a policy: each namespace has a fuse of its own, which lets one pod go first, then 4, then 16. */
function promised(emulated: Emulated, filling: Filling, policyFile: string): Contestant {
  const command = async () => sweep(await emulated.fill(filling), ['--policy', policyFile], [0], 'forbid');
  return { ...ours(emulated, filling), name: names.promised, command };
}

function loop(
  name: string,
  { fill }: Emulated,
  filling: Filling,
  script: string,
  args: readonly string[],
): Contestant {
  return {
    name,
    command: async () => ({ ...peer(script, await fill(filling), args), keep: true }),
    timeOf: ({ stdout }) => Number(stdout),
  };
}

export function sweep(
  { kubeconfigFile }: Place,
  flags: readonly string[],
  exitCodes: Required<Command>['exitCodes'],
  uncleanExit: 'allow' | 'forbid' = 'allow',
): Command {
  const scope = ['-A', '--kubeconfig', kubeconfigFile, '--min-age', '0s', '--max-pods', '1000000', '--yes'];
  const mode = ['--unclean-exit', uncleanExit, '--no-lock'];
  const output = ['--log-level', 'error', '-o', 'json'];
  return {
    program: process.execPath,
    env: sweeperEnv,
    args: [sweeper, 'sweep', ...scope, ...mode, ...output, '--concurrency', `${concurrency}`, ...flags],
    exitCodes,
  };
}
