import type { Recipient, Subject } from '../../../src/methods/method.ts';
import type { ContainerView, PodRef, PodView } from '../../../src/model/pod.ts';
import type { Cluster, ExecResult, WriteResult } from '../../../src/model/ports.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { container, podView, running } from '../../builders/pod-view.ts';

export const pod: PodRef = { namespace: 'demo', name: 'work', uid: 'uid-1' };
export const isStill = () => true;
export const abort: AbortSignal = new AbortController().signal;

const noSuchFile = 'exec: "/bin/sh": stat /bin/sh: no such file or directory';
const denied = 'OCI runtime exec failed: exec failed: exec: "/bin/sh": permission denied';

/** The recipient of a step: `sidecar` of `pod`, in a cluster of which only these parts may be asked. */
export function recipient(parts: Partial<Cluster> = {}, more: Partial<Recipient> = {}): Recipient {
  return { cluster: clusterWith(parts), pod, containers: ['sidecar'], isStill, abort, ...more };
}

/** A recipient in which every exec ends like this, and the execs that it was asked for. */
export function execRecipient(result: ExecResult) {
  const calls: Parameters<Cluster['exec']>[] = [];
  const to = recipient({
    async exec(...call) {
      calls.push(call);
      return result;
    },
  });
  return { to, calls };
}

/** Execs in an image that has no /bin/sh, and what its runtime says. */
export const withoutShell: readonly (readonly [runtime: string, result: ExecResult, message: string])[] = [
  ['containerd', { kind: 'NoSuchProgram', message: noSuchFile }, noSuchFile],
  ['a runtime that exits with 126', { kind: 'Exited', exitCode: 126, output: denied }, denied],
  ['a runtime that exits with 127', { kind: 'Exited', exitCode: 127, output: noSuchFile }, noSuchFile],
];

export function subject(of: Partial<PodView> = {}, sidecar: Partial<ContainerView> = {}): Subject {
  return { pod: podView(of), container: container('sidecar', running, sidecar) };
}

export const common = {
  source: { kind: 'Profile', profile: 'test' },
  grace: 30_000,
  exitCode: undefined,
} as const;

type Write = 'swapImages' | 'addEphemeralContainer' | 'setDeadline' | 'evict' | 'deletePod';

/** A recipient whose cluster gives these results to one write after the other, and the writes that it was asked for. */
export function writeRecipient(
  results: readonly WriteResult[] = [],
  containers: Recipient['containers'] = ['sidecar'],
) {
  const calls: unknown[][] = [];
  const write =
    (name: Write) =>
    async (...call: unknown[]): Promise<WriteResult> => {
      calls.push([name, ...call]);
      return results[calls.length - 1] ?? { kind: 'Written' };
    };
  const parts = {
    swapImages: write('swapImages'),
    addEphemeralContainer: write('addEphemeralContainer'),
    setDeadline: write('setDeadline'),
    evict: write('evict'),
    deletePod: write('deletePod'),
  };
  return { to: recipient(parts, { containers }), calls };
}
