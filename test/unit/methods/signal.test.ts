import { describe, expect, it } from 'vitest';
import { signal, signalScript } from '../../../src/methods/signal.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { ExecResult } from '../../../src/model/ports.ts';
import { steps } from '../../builders/plan.ts';
import { abort, common, execRecipient, pod, subject, withoutShell } from './recipient.ts';

const spec = signal.written.parse({ signal: ['INT', 'TERM'] });

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

const saying = (output: string, exitCode = 0): ExecResult => ({ kind: 'Exited', exitCode, output });
const sent = 'sent TERM to PID 1';
const immune = 'PID 1 has no handler for TERM';
const lost = (message: string): AttemptResult => ({ kind: 'Unconfirmed', message });
const notThere = { kind: 'NotThere', message: 'container not found' } as const;

// biome-ignore format: one row a line
it.each<readonly [title: string, ExecResult, AttemptResult]>([
  ['shows that it sent something', saying(sent), { kind: 'Accepted', message: sent }],
  ['shows that no signal can work', saying(`immune ${immune}`), { kind: 'Immune', message: immune }],
  ['counts on whatever line it stands, as a shell may print warnings first', saying(`sh: a warning\n${sent}`), { kind: 'Accepted', message: `sh: a warning ${sent}` }],
  ['counts without what comes after it', saying('sh: a warning\nimmune no handler\nmore'), { kind: 'Immune', message: 'no handler' }],
  ...['nothing was sent to PID 1', 'not immune at all', 'sentinel'].map((output) => [`is not anything else that has these words in it: ${output}`, saying(output), lost(`exit code 0: ${output}`)] as const),
  ['may be lost; then the pod shows what happened', saying(''), lost('exit code 0')],
  ['may be lost because the script died with the PID 1 that it ended', saying('', 137), lost('exit code 137')],
  ['is missing if the shell could not run the script', saying('', 2), { kind: 'Failed', message: 'exit code 2' }],
  ['is missing if the container was not there, which may have ended', notThere, notThere],
  ...withoutShell.map(([runtime, result, message]) => [`is missing without a shell, as ${runtime} says`, result, { kind: 'NoSuchProgram', program: '/bin/sh', message }] as const),
])('what the script says %s', async (_title, result, expected) => {
  expect(await signal.send(steps.Signal, execRecipient(result).to)).toEqual(expected);
});

it('the script is sent without comments and indentation', () => {
  expect(signalScript).toMatch(/^read_status\(\) \{\nfor try in 1 2 3; do\n/);
  expect(signalScript).not.toMatch(/(^|\s)# |^\s/m);
});
