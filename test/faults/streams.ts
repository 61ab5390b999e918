import { expect } from 'vitest';
import type { PolicyFlags } from '../../src/policy/policy.ts';
import { sidecarsOf } from '../../src/report/sweep/planned.ts';
import type { Emulator, FaultAction, Pod } from '../kit/emulator/index.ts';
import { quit, type StuckPod, sidecarOutcome, sidecars, stepsOf, stuckPod } from '../kit/stuck-pods.ts';
import { type FaultyCluster, type Played, survive, type Trouble } from './faulty-cluster.ts';

/** A request that the API server upgrades to a WebSocket and hands on to the kubelet. */
export interface Stream {
  readonly subresource: 'exec' | 'portforward';
  /** What its pods have in common: their sidecars end cleanly if they get the request. */
  readonly pod: StuckPod;
  readonly frames: readonly Uint8Array[];
}

export function frame(channel: number, text: string | Uint8Array = ''): Uint8Array {
  return Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);
}

export const success = frame(3, JSON.stringify({ metadata: {}, status: 'Success' }));

export function failure(more: object): Uint8Array {
  return frame(3, JSON.stringify({ status: 'Failure', ...more }));
}

export function exited(message: unknown, more: object = {}): Uint8Array {
  const details = { causes: [{ reason: 'ExitCode', message }] };
  return failure({ reason: 'NonZeroExitCode', details, ...more });
}

export function closing(frames: readonly (string | Uint8Array)[]): Extract<FaultAction, { kind: 'Frames' }> {
  return { kind: 'Frames', frames, end: { kind: 'Close' } };
}

const openings = [0, 1].map((channel) => frame(channel, Buffer.from(Uint16Array.of(quit.port).buffer)));

export const execs: Stream = {
  subresource: 'exec',
  pod: { sidecar: sidecars.clean },
  frames: [frame(1), frame(1, 'sent TERM to PID 1\n'), success],
};

/** Nothing can be executed in these: what ends them is the request to their port. */
export const tunnels: Stream = {
  subresource: 'portforward',
  pod: {
    sidecar: { ...sidecars.clean, shell: false, quit: { ...quit, exitCode: 0, after: 50 } },
    annotations: stepsOf({ http: quit }),
  },
  frames: [
    ...openings,
    frame(0, 'HTTP/1.1 200 OK\r\n'),
    frame(0, 'content-length: 3\r\n\r\n'),
    frame(0, 'OK\n'),
  ],
};

/** What a port answers with, as the kubelet sends it. */
export function fromPort(...answer: readonly (string | Uint8Array)[]): readonly Uint8Array[] {
  return [...openings, ...answer.map((each) => frame(0, each))];
}

/** What the kubelet tells of a port. */
export function aboutPort(message: string): readonly Uint8Array[] {
  return [...openings, frame(1, message)];
}

export interface Stumble {
  readonly stream: Stream;
  readonly action: FaultAction;
  /** How often: once, or every time. */
  readonly times?: number | undefined;
  /** Whether the sidecar gets what it was sent all the same. */
  readonly arrives?: boolean;
  readonly flags?: Partial<PolicyFlags>;
  /** What must become of the sidecar, and of what is sent to it. */
  readonly outcome?: string;
  readonly attempts?: readonly string[];
}

/** Two stuck pods, of which `pod-1` meets the fault and `pod-0` does not. */
function stumbling({ stream, action, times, arrives = false, flags }: Stumble): Trouble {
  const { subresource, pod } = stream;
  return {
    flags: { ...flags },
    policy: { annotationCommands: 'any' },
    pods: (namespace) => ['pod-0', 'pod-1'].map((name) => stuckPod({ ...pod, namespace, name })),
    trouble(namespace, emulator) {
      const match = { subresource, namespace, name: 'pod-1' };
      const options = times === undefined ? {} : { times };
      if (arrives)
        emulator.faults.add(
          match,
          { kind: 'Before', run: ({ name }) => end(emulator, namespace, name) },
          options,
        );
      emulator.faults.add(match, action, options);
    },
  };
}

function end({ world }: Emulator, namespace: string, name: string): void {
  const uid = world.store.get<Pod>('pods', namespace, name)?.metadata.uid ?? '';
  world.kubelet.running(uid, 'sidecar')?.kill('SIGTERM');
}

export function outcomeOf({ report }: Pick<Played, 'report'>, pod = 'pod-1'): string {
  const outcome = sidecarOutcome(report, pod);
  if (outcome?.kind === 'StillRunning') return `StillRunning ${outcome.because.kind}`;
  if (outcome?.kind === 'Stopped') return `Stopped ${outcome.exitCode}`;
  return outcome?.kind ?? 'none';
}

function attemptsOf({ report }: Pick<Played, 'report'>, pod = 'pod-1'): readonly string[] {
  const sidecars = report.pods.filter(({ name }) => name === pod).flatMap(sidecarsOf);
  return sidecars.flatMap(({ attempts }) => attempts.map(({ result }) => result.kind));
}

export interface Told extends Played {
  readonly outcome: string;
  readonly attempts: readonly string[];
}

/** Plays these side by side. Whatever happens to one pod, the one beside it ends as it should. */
export async function stumble(
  cluster: FaultyCluster,
  row: string,
  cases: readonly Stumble[],
): Promise<readonly Told[]> {
  const told = await tell(cluster, row, cases.map(stumbling));
  for (const [index, one] of told.entries()) {
    const { stream, action, outcome = one.outcome, attempts = one.attempts } = cases[index] ?? expect.fail();
    const at = `${stream.subresource}: ${JSON.stringify(action)}`;
    expect({ outcome: one.outcome, attempts: one.attempts }, at).toEqual({ outcome, attempts });
    expect(outcomeOf(one, 'pod-0'), at).toBe('Stopped 0');
  }
  return told;
}

/** Plays these side by side, of each of which `pod-1` is told about. */
export async function tell(
  cluster: FaultyCluster,
  row: string,
  troubles: readonly Trouble[],
): Promise<readonly Told[]> {
  const played = await cluster.playAll(troubles);
  const told = played.map((one) => ({ ...one, outcome: outcomeOf(one), attempts: attemptsOf(one) }));
  survive(row, told, ({ outcome, exitCode }) => {
    expect([outcome, exitCode]).toEqual([outcome, /^(Stopped 0|Gone)$/.test(outcome) ? 0 : 4]);
  });
  return told;
}
