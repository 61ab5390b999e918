import { describe, expect, it } from 'vitest';
import { signal, signalScript } from '../../../src/methods/signal.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { ExecResult } from '../../../src/model/ports.ts';
import { steps } from '../../builders/plan.ts';
import { abort, common, execRecipient, pod, subject, withoutShell } from './recipient.ts';

const spec = signal.written.parse({ signal: ['INT', 'TERM'] });

function attempt(result: ExecResult): Promise<AttemptResult> {
  return signal.send(steps.Signal, execRecipient(result).to);
}

describe('written signals', () => {
  it('are names without SIG', () => {
    expect(spec).toEqual({ method: 'Signal', signal: ['INT', 'TERM'] });
    const all = ['TERM', 'INT', 'QUIT', 'HUP', 'USR1', 'USR2', 'KILL'];
    expect(signal.written.parse({ signal: all }).signal).toEqual(all);
  });

  it.each([[[]], [['SIGTERM']], [['term']], [['STOP']], [[15]], ['TERM']])('cannot be %j', (written) => {
    expect(signal.written.safeParse({ signal: written }).success).toBe(false);
  });

  it('read in the order in which they are tried', () => {
    expect(signal.describeSpec(spec)).toBe('signal INT, else TERM');
    expect(signal.describe({ ...steps.Signal, signals: ['INT', 'TERM'] })).toBe('signal INT, else TERM');
    expect(signal.describe(steps.Signal)).toBe('signal TERM');
  });
});

it('signals are unfit in a pod that sees the node’s processes, and in no other', () => {
  const expected = { reason: 'SeesTheNode', detail: 'hostPID' };
  expect(signal.whyUnfit(spec, subject({ processNamespace: 'Node' }))).toEqual(expected);
  // The script finds the sidecar's own processes.
  expect(signal.whyUnfit(spec, subject({ processNamespace: 'Pod' }))).toBeUndefined();
  expect(signal.whyUnfit(spec, subject())).toBeUndefined();
});

it('an annotation may ask for TERM and KILL, and for signals that the catalogue sends', () => {
  const sending = (...names: readonly string[]) => signal.written.parse({ signal: names });
  const isAdmitted = (...names: readonly string[]) =>
    signal.isAdmitted(sending(...names), { patterns: [], known: [sending('QUIT', 'USR1')] });
  expect(isAdmitted('TERM', 'KILL', 'QUIT')).toBe(true);
  expect(isAdmitted('TERM', 'HUP')).toBe(false);
  expect(signal.isAdmitted(spec, { patterns: [], known: [] })).toBe(false);
});

it('the step has the signals in their order', () => {
  const expected = [{ ...common, method: 'Signal', signals: ['INT', 'TERM'], exitCode: 143 }];
  expect(signal.toSteps(spec, { ...common, exitCode: 143 }, subject())).toEqual(expected);
});

it('the shell runs the script, with the signals in their order as its arguments', async () => {
  const { to, calls } = execRecipient({ kind: 'Exited', exitCode: 0, output: 'sent HUP to PID 1' });
  const signals = ['HUP', 'INT', 'QUIT', 'KILL', 'USR1', 'USR2', 'TERM'] as const;
  await signal.send({ ...steps.Signal, signals }, to);
  const wanted = ['HUP:1', 'INT:2', 'QUIT:3', 'KILL:9', 'USR1:10', 'USR2:12', 'TERM:15'];
  const expected = [[pod, 'sidecar', ['/bin/sh', '-c', signalScript, 'sidecar-sweeper', ...wanted], abort]];
  expect(calls).toEqual(expected);
});

describe('what the script says', () => {
  const said = (output: string, exitCode = 0) => attempt({ kind: 'Exited', exitCode, output });

  it('shows that it sent something', async () => {
    expect(await said('sent TERM to PID 1')).toEqual({ kind: 'Accepted', message: 'sent TERM to PID 1' });
  });

  it('shows that no signal can work', async () => {
    const expected = { kind: 'Immune', message: 'PID 1 has no handler for TERM' };
    expect(await said('immune PID 1 has no handler for TERM')).toEqual(expected);
  });

  it('counts on whatever line it stands, as a shell may print warnings first', async () => {
    const expected = { kind: 'Accepted', message: 'sh: a warning sent TERM to PID 1' };
    expect(await said('sh: a warning\nsent TERM to PID 1')).toEqual(expected);
    expect(await said('sh: a warning\nimmune no handler\nmore')).toEqual({
      kind: 'Immune',
      message: 'no handler',
    });
  });

  it.each(['nothing was sent to PID 1', 'not immune at all', 'sentinel'])(
    'is not anything else that has these words in it: %s',
    async (output) => {
      expect(await said(output)).toEqual({ kind: 'Unconfirmed', message: `exit code 0: ${output}` });
    },
  );

  it('may be lost; then the pod shows what happened', async () => {
    expect(await said('')).toEqual({ kind: 'Unconfirmed', message: 'exit code 0' });
  });

  it('may be lost because the script died with the PID 1 that it ended', async () => {
    expect(await said('', 137)).toEqual({ kind: 'Unconfirmed', message: 'exit code 137' });
  });

  it('is missing if the shell could not run the script', async () => {
    expect(await said('', 2)).toEqual({ kind: 'Failed', message: 'exit code 2' });
  });
});

describe('an image without a shell', () => {
  it.each(withoutShell)('does not have the program, says %s', async (_runtime, result, message) => {
    expect(await attempt(result)).toEqual({ kind: 'NoSuchProgram', program: '/bin/sh', message });
  });
});

it('a container that was not there may have ended', async () => {
  const expected = { kind: 'NotThere', message: 'container not found' };
  expect(await attempt({ kind: 'NotThere', message: 'container not found' })).toEqual(expected);
});

it('the script is sent without comments and indentation', () => {
  expect(signalScript).toMatch(/^read_status\(\) \{\nfor try in 1 2 3; do\n/);
  expect(signalScript).not.toMatch(/(^|\s)# |^\s/m);
});
