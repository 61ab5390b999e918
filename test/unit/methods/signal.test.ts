import { describe, expect, it } from 'vitest';
import { signal } from '../../../src/methods/signal.ts';
import { signalScript } from '../../../src/methods/signal-script.ts';
import type { ExecResult } from '../../../src/ports.ts';
import type { AttemptResult, PodRef } from '../../../src/vocabulary.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { steps } from '../../builders/plan.ts';

const pod: PodRef = { namespace: 'demo', name: 'work', uid: 'uid-1' };
const abort = new AbortController().signal;

function attempt(result: ExecResult): Promise<AttemptResult> {
  const cluster = clusterWith({ exec: async () => result });
  return signal.send(cluster, pod, 'sidecar', steps.Signal, abort);
}

it('the script is run by the shell, with the signals in their order as its arguments', async () => {
  const calls: unknown[][] = [];
  const cluster = clusterWith({
    async exec(...call) {
      calls.push(call);
      return { kind: 'Exited', exitCode: 0, output: 'sent HUP to PID 1' };
    },
  });
  const signals = ['HUP', 'INT', 'QUIT', 'KILL', 'USR1', 'USR2', 'TERM'];
  await signal.send(cluster, pod, 'sidecar', { ...steps.Signal, signals }, abort);
  const wanted = ['HUP:1', 'INT:2', 'QUIT:3', 'KILL:9', 'USR1:10', 'USR2:12', 'TERM:15'];
  expect(calls).toEqual([
    [pod, 'sidecar', ['/bin/sh', '-c', signalScript, 'sidecar-sweeper', ...wanted], abort],
  ]);
});

describe('what the script says', () => {
  it('is told when it sent something', async () => {
    expect(await attempt({ kind: 'Exited', exitCode: 0, output: 'sent TERM to PID 1' })).toEqual({
      kind: 'Accepted',
      message: 'sent TERM to PID 1',
    });
  });

  it('goes on at once when no signal can work', async () => {
    const output = 'immune PID 1 has no handler for TERM';
    expect(await attempt({ kind: 'Exited', exitCode: 0, output })).toEqual({
      kind: 'Immune',
      message: 'PID 1 has no handler for TERM',
    });
  });

  it('counts wherever it stands, after what a shell had to say', async () => {
    const said = (output: string) => attempt({ kind: 'Exited', exitCode: 0, output });
    expect(await said('sh: a warning\nsent TERM to PID 1')).toMatchObject({ kind: 'Accepted' });
    expect(await said('sh: a warning\nimmune no handler')).toEqual({ kind: 'Immune', message: 'no handler' });
  });

  it('is for the pod to tell when it was lost', async () => {
    expect(await attempt({ kind: 'Exited', exitCode: 0, output: '' })).toEqual({
      kind: 'Unconfirmed',
      message: 'exit code 0',
    });
  });

  it('is waited for when it died: it does so with the PID 1 that it ended', async () => {
    expect(await attempt({ kind: 'Exited', exitCode: 137, output: '' })).toEqual({
      kind: 'Unconfirmed',
      message: 'exit code 137',
    });
  });
});

it('an image without a shell has no such program', async () => {
  const message = 'exec: "/bin/sh": stat /bin/sh: no such file or directory';
  expect(await attempt({ kind: 'NoSuchProgram', message })).toEqual({
    kind: 'NoSuchProgram',
    program: '/bin/sh',
    message,
  });
});

it.each([
  [126, 'OCI runtime exec failed: exec failed: exec: "/bin/sh": permission denied'],
  [127, 'exec: "/bin/sh": stat /bin/sh: no such file or directory'],
])(
  'nor has one of which other runtimes tell that with exit code %i and their words',
  async (exitCode, output) => {
    expect(await attempt({ kind: 'Exited', exitCode, output })).toMatchObject({ kind: 'NoSuchProgram' });
  },
);

it('a container that was not there was not reached', async () => {
  expect(await attempt({ kind: 'NotThere', message: 'container not found' })).toEqual({
    kind: 'Undelivered',
    message: 'container not found',
  });
});

it.each(['Refused', 'Undelivered', 'Unconfirmed'] as const)('%s stays what it is', async (kind) => {
  expect(await attempt({ kind, message: 'why' })).toEqual({ kind, message: 'why' });
});
