import type { Contestant } from './contest.ts';
import type { Command, Cost } from './measured.ts';
import type { Where } from './part.ts';
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

export const names = {
  bare: 'GET, exec, GET in a bare loop',
  holding: 'TERM, wait, next pod',
  xargs: 'xargs -P kubectl exec',
} as const;

export const concurrency = 20;

/** The sweeper, which is only compared if it did its work. */
export function ours(site: Site): Contestant {
  const ends = site.sidecar !== 'stubborn';
  const expected = ends ? 0 : site.pods.length;
  return {
    name: 'sidecar-sweeper',
    command: async () => sweep(await site.refill(), site.flags, [ends ? 0 : 4]),
    timeOf: async ({ wallMs }) => {
      const left = await site.stillStuck();
      if (left !== expected) throw new Error(`${left} pods are stuck after the sweep instead of ${expected}`);
      return wallMs;
    },
  };
}

export function sweep(
  { kubeconfigFile }: Where,
  flags: readonly string[],
  exitCodes: Required<Command>['exitCodes'],
): Command {
  const scope = ['--kubeconfig', kubeconfigFile, '--min-age', '0s', '--brake-pods', '1000000', '--yes'];
  // No exit code is known of these sidecars.
  const mode = ['--unclean-exit', 'allow', '--no-lock'];
  const output = ['--log-level', 'error', '-o', 'json'];
  return {
    program: process.execPath,
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

export function xargsKubectl(site: Site, podsFile: string): Contestant {
  const kubectl = 'kubectl --kubeconfig "$0" exec -c sidecar -n "$1" "$2" -- kill -15 1';
  const xargs = ['-P', `${concurrency}`, '-L', '1', '-a', podsFile, 'sh', '-c', kubectl];
  return {
    name: names.xargs,
    command: async () => {
      const { kubeconfigFile } = await site.refill();
      // An exec that ends its container may end with 137, and xargs with 123.
      return { program: 'xargs', args: [...xargs, kubeconfigFile], exitCodes: [0, 123], delegates: true };
    },
    once: true,
  };
}
