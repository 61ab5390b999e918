import type { Contestant } from './contest.ts';
import type { Site } from './emulated.ts';
import type { Command, Cost } from './measured.ts';
import type { Where } from './part.ts';
import { peer, sweeper, sweeperEnv } from './scan.ts';

export const names = {
  promised: 'the same, with promised exit codes',
  bare: 'GET, exec, GET in a bare loop',
  holding: 'TERM, wait, next pod',
} as const;

export const concurrency = 20;

/** The sweeper, which is only compared if it did its work. */
export function ours(site: Site): Contestant {
  const ends = site.sidecar !== 'stubborn';
  const expected = ends ? 0 : site.pods.length;
  return {
    name: 'sidecar-sweeper',
    command: async () => sweep(await site.refill(), [], [ends ? 0 : 4]),
    timeOf: async ({ wallMs }) => {
      const left = await site.stillStuck();
      if (left !== expected) throw new Error(`${left} pods are stuck after the sweep instead of ${expected}`);
      return wallMs;
    },
  };
}

/** A sweep that trusts a rule of a policy: each namespace has a fuse of its own, which lets one pod go first, then 4, then 16. */
export function promised(site: Site, policyFile: string): Contestant {
  const flags = ['--policy', policyFile];
  const command = async () => sweep(await site.refill(), flags, [0], 'forbid');
  return { ...ours(site), name: names.promised, command };
}

export const promise = {
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

export function sweep(
  { kubeconfigFile }: Where,
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

export function bareLoop(site: Site, podsFile: string): Contestant {
  const signals = site.sidecar === 'stubborn' ? ['TERM', 'KILL'] : ['TERM'];
  return loop(names.bare, site, ['bare-loop.mjs', podsFile, ...signals]);
}

export function slotHolding(site: Site, podsFile: string): Contestant {
  return { ...loop(names.holding, site, ['slot-holding.mjs', podsFile]), once: true };
}

function loop(
  name: string,
  site: Site,
  [script, podsFile, ...signals]: [string, string, ...string[]],
): Contestant {
  const args = [podsFile, `${concurrency}`, ...signals];
  return {
    name,
    command: async () => ({ ...peer(script, await site.refill(), args), keep: true }),
    timeOf: ({ stdout }: Cost) => Number(stdout),
  };
}
