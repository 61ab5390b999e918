import { fileURLToPath } from 'node:url';
import { compete } from './contest.ts';
import type { Emulated, Place } from './emulated.ts';
import { kubectlVersion } from './machine.ts';
import type { Command } from './measured.ts';
import { type Part, toPart } from './part.ts';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const sweeper = file('../../dist/sidecar-sweeper.mjs');
/** As in manifests/base/cron-job.yaml. */
export const sweeperEnv = { NODE_OPTIONS: '--max-old-space-size=384 --max-semi-space-size=4' };
const selector = 'status.phase=Running,spec.restartPolicy!=Always';

/** With more pods, kubectl needs more memory than a machine has. */
const mostForKubectl = 30_000;

/** Finds the stuck pods, beside what one would do without the sweeper, and beside the bytes alone. */
export async function benchScan({ server, fill }: Emulated, pods: number, rounds: number): Promise<Part> {
  const isLargest = pods > mostForKubectl;
  // At the largest size, all pods are listed; else a tenth is. A hundredth is stuck.
  const place = await fill({
    prefix: 'bench',
    namespaces: 20,
    pods,
    running: isLargest ? pods : pods / 10,
    stuck: pods / 100,
    sidecar: 'clean',
    asJson: true,
  });
  const hasKubectl = kubectlVersion() !== undefined;
  const why = hasKubectl ? 'kubectl needs more memory than this machine has' : 'kubectl is not installed';
  const isWithKubectl = hasKubectl && !isLargest;
  const kubectl = (name: string, args: readonly string[], once = false) => ({
    name,
    command: {
      program: 'kubectl',
      args: ['--kubeconfig', place.kubeconfigFile, 'get', 'pods', '-A', '-o', 'json', ...args],
    },
    once,
  });
  const results = await compete({
    rounds,
    serverCpuMs: server.cpuMs,
    contestants: [
      {
        name: 'sidecar-sweeper scan',
        command: {
          program: process.execPath,
          env: sweeperEnv,
          args: [sweeper, 'scan', '-A', '--kubeconfig', place.kubeconfigFile, '-o', 'json'],
        },
      },
      { name: 'the bytes as protobuf, thrown away', command: peer('bare-protobuf.mjs', place) },
      { name: 'plain Node, pages of 500, JSON.parse', command: peer('plain-node.mjs', place) },
      ...(isWithKubectl
        ? [
            kubectl('kubectl with the field selector', [`--field-selector=${selector}`]),
            kubectl('kubectl, all pods', [], true),
          ]
        : []),
    ],
  });
  const part = toPart(results, {
    'the bytes as protobuf, thrown away': 'vsBareRead',
    'plain Node, pages of 500, JSON.parse': 'vsPlainNode',
    'kubectl with the field selector': 'vsKubectlSelector',
    'kubectl, all pods': 'vsKubectlAll',
  });
  return isWithKubectl ? part : { ...part, leftOut: { vsKubectlSelector: why, vsKubectlAll: why } };
}

/** A script of this folder that reads the cluster from its environment. */
export function peer(script: string, { access }: Place, args: readonly string[] = []): Command {
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
