import { emulatedSite, onlyStuck, withEmulator } from './emulated.ts';
import { benchHanging } from './hanging.ts';
import { kubectlVersion } from './machine.ts';
import type { Part, Where } from './part.ts';
import type { SidecarKind } from './pods.ts';
import { benchScan } from './scan.ts';
import { benchFirstRequest, benchStart } from './start.ts';
import { benchSweep } from './sweep.ts';

export type Parts = Readonly<Record<string, (rounds: number) => Promise<Part>>>;

const scanSizes = { '30k': 30_000, '150k': 150_000 } as const;
const sweepSizes = { '1k': 1_000, '10k': 10_000 } as const;
const sidecarKinds = ['clean', 'slow', 'stubborn'] as const satisfies readonly SidecarKind[];

/** Everything that is measured on the emulator, in this order. */
export const parts: Parts = {
  'start-version': (rounds) => benchStart(4 * rounds, ['--version']),
  'start-help': (rounds) => benchStart(4 * rounds, ['--help']),
  'start-first-request': (rounds) => benchFirstRequest(4 * rounds),
  ...named(scanSizes, (size, pods) => ({ [`scan-${size}`]: (rounds: number) => scan(pods, rounds) })),
  ...named(sweepSizes, (size, pods) =>
    Object.fromEntries(
      sidecarKinds.map((kind) => [`sweep-${size}-${kind}`, (rounds: number) => sweep(pods, kind, rounds)]),
    ),
  ),
  'hanging-nodes': (rounds) => withEmulator((emulated) => benchHanging(emulated, 300, rounds)),
};

function named(sizes: Readonly<Record<string, number>>, of: (size: string, pods: number) => Parts): Parts {
  return Object.assign({}, ...Object.entries(sizes).map(([size, pods]) => of(size, pods)));
}

/** With more pods, kubectl needs more memory than a machine has. */
const mostForKubectl = 30_000;

/** At the largest size, all pods are listed; else a tenth is. A hundredth is stuck. */
function scan(pods: number, rounds: number): Promise<Part> {
  const isLargest = pods > mostForKubectl;
  const filling = {
    prefix: 'bench',
    namespaces: 20,
    pods,
    running: isLargest ? pods : pods / 10,
    stuck: pods / 100,
    sidecar: 'clean',
    asJson: true,
  } as const;
  return withEmulator(async ({ fill }) => scanOf(await fill(filling), pods, rounds));
}

/** A scan of a cluster that has this many pods. */
async function scanOf(where: Where, pods: number, rounds: number): Promise<Part> {
  const hasKubectl = kubectlVersion() !== undefined;
  const fits = pods <= mostForKubectl;
  const part = await benchScan(where, { rounds, hasKubectl: hasKubectl && fits, all: fits });
  if (hasKubectl && fits) return part;
  const why = hasKubectl ? 'kubectl needs more memory than this machine has' : 'kubectl is not installed';
  return { ...part, leftOut: { vsKubectlSelector: why, vsKubectlAll: why } };
}

function sweep(pods: number, sidecar: SidecarKind, rounds: number): Promise<Part> {
  return withEmulator((emulated) => benchSweep(emulatedSite(emulated, onlyStuck(pods, sidecar)), rounds));
}
