import { fileURLToPath } from 'node:url';
import { compete } from './contest.ts';
import type { Command } from './measured.ts';
import { type Part, toPart, type Where } from './part.ts';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const sweeper = file('../../dist/sidecar-sweeper.mjs');
/** As in manifests/base/cron-job.yaml. */
export const sweeperEnv = { NODE_OPTIONS: '--max-old-space-size=384 --max-semi-space-size=4' };
const selector = 'status.phase=Running,spec.restartPolicy!=Always';

export interface ScanOptions {
  readonly rounds: number;
  readonly hasKubectl: boolean;
  /** Whether kubectl is asked for all pods as well: at 150,000, that takes more memory than a machine has. */
  readonly all: boolean;
}

/** Finds the stuck pods, beside what one would do without the sweeper, and beside the bytes alone. */
export async function benchScan(where: Where, { rounds, hasKubectl, all }: ScanOptions): Promise<Part> {
  const kubectl = (name: string, args: readonly string[], once = false) => ({
    name,
    command: {
      program: 'kubectl',
      args: ['--kubeconfig', where.kubeconfigFile, 'get', 'pods', '-A', '-o', 'json', ...args],
    },
    once,
  });
  const results = await compete({
    rounds,
    serverCpuMs: where.serverCpuMs,
    contestants: [
      {
        name: 'sidecar-sweeper scan',
        command: {
          program: process.execPath,
          env: sweeperEnv,
          args: [sweeper, 'scan', '-A', '--kubeconfig', where.kubeconfigFile, '-o', 'json'],
        },
      },
      { name: 'the bytes as protobuf, thrown away', command: peer('bare-protobuf.mjs', where) },
      { name: 'plain Node, pages of 500, JSON.parse', command: peer('plain-node.mjs', where) },
      ...(hasKubectl ? [kubectl('kubectl with the field selector', [`--field-selector=${selector}`])] : []),
      ...(hasKubectl && all ? [kubectl('kubectl, all pods', [], true)] : []),
    ],
  });
  return toPart(results, {
    'the bytes as protobuf, thrown away': 'vsBareRead',
    'plain Node, pages of 500, JSON.parse': 'vsPlainNode',
    'kubectl with the field selector': 'vsKubectlSelector',
    'kubectl, all pods': 'vsKubectlAll',
  });
}

/** A script of this folder that reads the cluster from its environment. */
export function peer(script: string, { access }: Where, args: readonly string[] = []): Command {
  return {
    program: process.execPath,
    args: [file(`peers/${script}`), ...args],
    env: {
      BENCH_SERVER: access.server,
      BENCH_CA: access.ca,
      BENCH_TOKEN: access.token,
    },
  };
}
