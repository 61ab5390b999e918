import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  command,
  sendsSignals,
  signalsPid1,
  timeToShow,
  whySignalsAreUnfit,
  withSignal,
} from '../../../src/methods/command.ts';
import type { Unfitness } from '../../../src/methods/method.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { ExecResult } from '../../../src/model/ports.ts';
import { step } from '../../builders/plan.ts';
import { podView } from '../../builders/pod-view.ts';
import { abort, common, execRecipient, pod, subject, withoutShell } from './recipient.ts';

function spec(...words: string[]) {
  return { method: 'Command', command: words } as const;
}

function attempt(result: ExecResult): Promise<AttemptResult> {
  return command.send(step(), execRecipient(result).to);
}

describe('a written command', () => {
  it('is a list of words', () => {
    const written = { command: ['quit', '--now'], exitCode: 0, grace: '15s' };
    const expected = { method: 'Command', command: ['quit', '--now'], exitCode: 0, grace: 15_000 };
    expect(command.written.parse(written)).toEqual(expected);
  });

  it.each([
    [[], false],
    [[''], false],
    [['quit', ''], false],
    [Array(64).fill('x'), true],
    [Array(65).fill('x'), false],
  ])('%#: is it accepted? %s', (words, expected) => {
    expect(command.written.safeParse({ command: words }).success).toBe(expected);
  });

  it('reads as it is typed', () => {
    expect(command.describeSpec(spec('kill', '-%d', '1'))).toBe('kill -%d 1');
    expect(command.describe(step(9))).toBe('run /bin/sh -c kill -9 1');
  });
});

describe('a command is unfit', () => {
  const onNode = { processNamespace: 'Node' } as const;
  const hostPid = { reason: 'SeesTheNode', detail: 'hostPID' } as const;
  const shared = { processNamespace: 'Pod' } as const;
  const pause = expect.objectContaining({ reason: 'ShownOtherwise' });

  it.each<[title: string, words: readonly string[], Partial<PodView>, expected: object | undefined]>([
    ['if it sends signals and the pod sees the node', ['sh', '-c', 'kill -%d 1'], onNode, hostPid],
    ['if it is pkill and the pod sees the node', ['pkill', '-f', 'pilot-agent'], onNode, hostPid],
    ['but not if it sends no signals', ['pilot-agent', 'request', 'POST', 'quitquitquit'], onNode, undefined],
    ['if it signals PID 1 and that is the pause container', ['kill', '-%d', '1'], shared, pause],
    ['but not if it is no shutdown', ['/a-proxy', 'shutdown-log'], { hostNetwork: true }, undefined],
    ['but not if it signals another process', ['kill', '-%d', '7'], shared, undefined],
  ])('%s', (_title, words, more, expected) => {
    expect(command.whyUnfit(spec(...words), subject(more))).toEqual(expected);
  });

  it.each([
    ['pilot-agent', 'request', 'POST', 'quitquitquit'],
    ['/usr/lib/linkerd/linkerd-await', '--shutdown', '--', '/bin/sleep', '0'],
    ['sh', '-c', 'exec linkerd-await'],
    ['/cloud-sql-proxy', 'shutdown'],
    ['sh', '-c', 'sync;wget -O- --post-data= http://$POD_IP:9901/quitquitquit'],
    ['bash', '-c', 'echo POST /quitquitquit > /dev/tcp/127.0.0.1/9901'],
    ['bash', '-c', 'echo POST /quitquitquit > /dev/tcp/::1/9901'],
  ])('if it calls the loopback, which is the node’s: %s', (...words) => {
    expect(command.whyUnfit(spec(...words), subject({ hostNetwork: true }))?.reason).toBe('SeesTheNode');
    expect(command.whyUnfit(spec(...words), subject())).toBeUndefined();
  });
});

it('an annotation may ask for a command that fits the allowlist', () => {
  const allowlist = { patterns: [['quit', '<word>']], known: [] };
  expect(command.isAdmitted(spec('quit', 'now'), allowlist)).toBe(true);
  expect(command.isAdmitted(spec('quit'), allowlist)).toBe(false);
  // That a profile runs it is not enough: what is safe in one container may not be in another.
  expect(command.isAdmitted(spec('quit'), { patterns: [], known: [spec('quit')] })).toBe(false);
});

describe('the steps of a command', () => {
  it('are one, if it does not depend on the signal', () => {
    const expected = [{ ...common, method: 'Command', command: ['quit', '%s'], exitCode: 0 }];
    expect(command.toSteps(spec('quit', '%s'), { ...common, exitCode: 0 }, subject())).toEqual(expected);
  });

  it('are TERM and then KILL, if it has %d; the exit code is promised for TERM alone', () => {
    const kill = { kills: true, exitCode: undefined, grace: 5_000 };
    expect(command.toSteps(spec('kill', '-%d', '7'), { ...common, exitCode: 0 }, subject())).toEqual([
      { ...common, method: 'Command', command: ['kill', '-15', '7'], exitCode: 0 },
      { ...common, method: 'Command', command: ['kill', '-9', '7'], ...kill },
    ]);
  });

  it.each([
    [0, 2_000],
    [3_000, 3_000],
    [30_000, 5_000],
  ])('give KILL, for a grace of %i ms, %i ms to show its effect', (grace, expected) => {
    expect(timeToShow(grace)).toBe(expected);
    expect(command.toSteps(spec('kill', '-%d', '1'), { ...common, grace }, subject())[1]?.grace).toBe(
      expected,
    );
  });
});

it('the command is executed in the container, word for word', async () => {
  const { to, calls } = execRecipient({ kind: 'Exited', exitCode: 0, output: '' });
  await command.send(step(15, { command: ['a', 'b c', ''] }), to);
  expect(calls).toEqual([[pod, 'sidecar', ['a', 'b c', ''], abort]]);
});

describe('an exit code is only a hint', () => {
  it('0 is accepted', async () => {
    expect(await attempt({ kind: 'Exited', exitCode: 0, output: 'whatever' })).toEqual({ kind: 'Accepted' });
  });

  it('any other is a failure, unless the command was killed, maybe with its container', async () => {
    const ofExit = (exitCode: number) => attempt({ kind: 'Exited', exitCode, output: '' });
    expect(await ofExit(143)).toEqual({ kind: 'Failed', message: 'exit code 143' });
    expect(await ofExit(137)).toEqual({ kind: 'Unconfirmed', message: 'exit code 137' });
  });
});

it.each(withoutShell)('a program that is not there is reported by %s', async (_runtime, result, message) => {
  expect(await attempt(result)).toEqual({ kind: 'NoSuchProgram', program: '/bin/sh', message });
});

describe('only %d becomes the signal', () => {
  it.each([
    ['kill -%d 1', 'kill -15 1'],
    ['kill -%d $(pidof entrypoint.sh)', 'kill -15 $(pidof entrypoint.sh)'],
    ['%d%d%d', '151515'],
    ['%d', '15'],
    ['%%d', '%15'],
    ['%%', '%%'],
    ['%s %v %x', '%s %v %x'],
    ['%D', '%D'],
    ['% d', '% d'],
    ['%1$d', '%1$d'],
    ['%9999999d', '%9999999d'],
    ['%', '%'],
    // Replacement patterns of String.replace, and what a shell would expand.
    ['$& $1 $$ $` %d', '$& $1 $$ $` 15'],
    ['$SIGNAL `id` $(id)', '$SIGNAL `id` $(id)'],
    ['\\d \\%d', '\\d \\15'],
    ['', ''],
  ])('%j with 15 is %j', (word, expected) => {
    expect(withSignal(['program', word], 15)).toEqual(['program', expected]);
  });

  it('in any word: what stood around a %d stays', () => {
    const pieces = fc.array(
      fc.string({ unit: 'grapheme' }).filter((piece) => !piece.includes('%d')),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 64 }), (between, signal) => {
        const word = between.join('%d');
        // Pieces can form a %d with their neighbours: `%` before, `d` after.
        fc.pre(word.split('%d').length === between.length);
        expect(withSignal([word], signal)).toEqual([between.join(String(signal))]);
      }),
    );
  });
});

describe('a command that signals PID 1 or all processes', () => {
  // biome-ignore format: as many as fit on a line
  it.each([
    [['sh', '-c', 'kill -%d 1']], [['kill', '-%d', '1']], [['/bin/kill', '1']],
    [['sh', '-c', 'kill -%d 1 ']], [['sh', '-c', 'kill  -%d  1']], [['sh', '-c', 'kill -s TERM 1']],
    [['sh', '-c', 'kill -n 15 1']], [['sh', '-c', 'kill -%d 1; true']], [['sh', '-c', 'kill -%d 1 || true']],
    [['sh', '-c', 'kill -%d 1 2>/dev/null']], [['sh', '-c', '(kill -%d 1)']], [['kill', '-%d', '1', '7']],
    [['kill', '-%d', '--', '-1']], [['sh', '-c', 'kill -%d -1']],
    [['sh', '-c', 'sleep 1 && kill -TERM 1 && true']], [['sh', '-c', 'kill -%d "1"']],
    [['sh', '-c', "kill -%d '1'"]], [['sh', '-c', 'kill 7 1']], [['sh', '-c', 'kill 7; kill 1']],
    [['sh', '-c', 'kill 1 | cat']], [['sh', '-c', 'kill  1']], [['sh', '-c', 'kill  -s  TERM  1']],
    [['sh', '-c', 'kill -sTERM 1']], [['sh', '-c', 'kill 7-n 1']],
  ])('%j', (words) => {
    expect(signalsPid1(words)).toBe(true);
    expect(sendsSignals(words)).toBe(true);
  });

  // biome-ignore format: as many as fit on a line
  it.each([
    [['pkill', '-f', '/usr/local/bin/pilot-agent']], [['pkill', '1']],
    [['sh', '-c', 'kill -%d $(pidof entrypoint.sh)']], [['kill', '-%d', '11']], [['sh', '-c', 'kill -1 7']],
    [['sh', '-c', 'kill -n 1 7']], [['sh', '-c', 'kill -s 1 7']], [['quit', '1']], [['skill', '1']],
    [['sh', '-c', 'kill -s HUP 7; exit 1']], [['sh', '-c', 'kill -%d 7 || exit 1']],
    [['sh', '-c', 'kill 7 >1']], [['kill']], [[]],
  ])('is not %j', (words) => {
    expect(signalsPid1(words)).toBe(false);
  });
});

describe('a command that sends signals', () => {
  // biome-ignore format: as many as fit on a line
  it.each([
    [['kill', '7']], [['kill']], [['pkill', '-f', 'x']], [['killall', 'x']], [['/usr/bin/pkill', 'x']],
    [['sh', '-c', 'true;kill 7']], [['sh', '-c', 'true&&kill 7']], [['sh', '-c', 'true|killall x']],
    [['sh', '-c', '(kill 7)']], [['busybox', 'kill', '7']],
  ])('is %j', (words) => {
    expect(sendsSignals(words)).toBe(true);
  });

  it.each([
    [['pilot-agent', 'request', 'POST', 'quitquitquit']],
    [['/app/quit']],
    [['skill', '7']],
    [['killer']],
    [['kill-it', '7']],
    [['a', 'okill']],
    [['sh', '-c', 'echo kill-switch']],
    [[]],
  ])('is not %j', (words) => {
    expect(sendsSignals(words)).toBe(false);
  });
});

const node: Unfitness = { reason: 'SeesTheNode', detail: 'hostPID' };
const pause: Unfitness = {
  reason: 'ShownOtherwise',
  detail: 'PID 1 is the pause container; ending it ends the pod',
};

// biome-ignore format: as many as fit on a line
it.each<readonly [PodView['processNamespace'], reachesPid1: boolean, Unfitness | undefined]>([
  ['Container', false, undefined], ['Container', true, undefined], ['Pod', false, undefined],
  ['Pod', true, pause], ['Node', false, node], ['Node', true, node],
])('in the process namespace of the %s, reaching PID 1: %s', (processNamespace, reachesPid1, expected) => {
  expect(whySignalsAreUnfit(podView({ processNamespace }), reachesPid1)).toEqual(expected);
});
