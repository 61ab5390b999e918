import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hasSignal,
  sendsSignals,
  signalsPid1,
  whySignalsAreUnfit,
  withSignal,
} from '../../../src/methods/command.ts';
import type { Unfitness } from '../../../src/methods/method.ts';
import type { PodView } from '../../../src/model/pod.ts';
import { podView } from '../../builders/pod-view.ts';

describe('the commands of Argo’s documents', () => {
  it.each([
    [
      ['pilot-agent', 'request', 'POST', 'quitquitquit'],
      ['pilot-agent', 'request', 'POST', 'quitquitquit'],
      ['pilot-agent', 'request', 'POST', 'quitquitquit'],
    ],
    [
      ['sh', '-c', 'kill -%d 1'],
      ['sh', '-c', 'kill -15 1'],
      ['sh', '-c', 'kill -9 1'],
    ],
    [
      ['sh', '-c', 'kill -%d $(pidof entrypoint.sh)'],
      ['sh', '-c', 'kill -15 $(pidof entrypoint.sh)'],
      ['sh', '-c', 'kill -9 $(pidof entrypoint.sh)'],
    ],
  ])('%j', (words, term, kill) => {
    expect(withSignal(words, 15)).toEqual(term);
    expect(withSignal(words, 9)).toEqual(kill);
  });

  it.each([
    [['pilot-agent', 'request', 'POST', 'quitquitquit'], false],
    [['sh', '-c', 'kill -%d 1'], true],
    [['%d'], true],
    [['date', '+%D', '100%'], false],
    [[], false],
  ])('%j: does it depend on the signal? %s', (words, expected) => {
    expect(hasSignal(words)).toBe(expected);
  });
});

describe('only %d becomes the signal', () => {
  it.each([
    ['kill -%d 1', 'kill -15 1'],
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

  it('in any words: their number stays, and so do those without %d', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        const sent = withSignal(words, 9);
        expect(sent).toHaveLength(words.length);
        for (const [index, word] of words.entries()) {
          if (!word.includes('%d')) expect(sent[index]).toBe(word);
        }
        expect(hasSignal(sent.filter((word) => !word.includes('9')))).toBe(false);
      }),
    );
  });
});

describe('a command that signals PID 1 or all processes', () => {
  it.each([
    [['sh', '-c', 'kill -%d 1']],
    [['kill', '-%d', '1']],
    [['/bin/kill', '1']],
    [['sh', '-c', 'kill -%d 1 ']],
    [['sh', '-c', 'kill  -%d  1']],
    [['sh', '-c', 'kill -s TERM 1']],
    [['sh', '-c', 'kill -n 15 1']],
    [['sh', '-c', 'kill -%d 1; true']],
    [['sh', '-c', 'kill -%d 1 || true']],
    [['sh', '-c', 'kill -%d 1 2>/dev/null']],
    [['sh', '-c', '(kill -%d 1)']],
    [['kill', '-%d', '1', '7']],
    [['kill', '-%d', '--', '-1']],
    [['sh', '-c', 'kill -%d -1']],
    [['sh', '-c', 'sleep 1 && kill -TERM 1 && true']],
    [['sh', '-c', 'kill -%d "1"']],
    [['sh', '-c', "kill -%d '1'"]],
    [['sh', '-c', 'kill 7 1']],
    [['sh', '-c', 'kill 7; kill 1']],
    [['sh', '-c', 'kill 1 | cat']],
  ])('%j', (words) => {
    expect(signalsPid1(words)).toBe(true);
    expect(sendsSignals(words)).toBe(true);
  });

  it.each([
    [['pkill', '-f', '/usr/local/bin/pilot-agent']],
    [['pkill', '1']],
    [['sh', '-c', 'kill -%d $(pidof entrypoint.sh)']],
    [['kill', '-%d', '11']],
    [['sh', '-c', 'kill -1 7']],
    [['sh', '-c', 'kill -n 1 7']],
    [['sh', '-c', 'kill -s 1 7']],
    [['quit', '1']],
    [['skill', '1']],
    [['sh', '-c', 'kill -s HUP 7; exit 1']],
    [['sh', '-c', 'kill -%d 7 || exit 1']],
    [['sh', '-c', 'kill 7 >1']],
    [['kill']],
    [[]],
  ])('is not %j', (words) => {
    expect(signalsPid1(words)).toBe(false);
  });
});

describe('a command that sends signals', () => {
  it.each([
    [['kill', '7']],
    [['kill']],
    [['pkill', '-f', 'x']],
    [['killall', 'x']],
    [['/usr/bin/pkill', 'x']],
    [['sh', '-c', 'true;kill 7']],
    [['sh', '-c', 'true&&kill 7']],
    [['sh', '-c', 'true|killall x']],
    [['sh', '-c', '(kill 7)']],
    [['busybox', 'kill', '7']],
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

it.each<readonly [PodView['processNamespace'], reachesPid1: boolean, Unfitness | undefined]>([
  ['Container', false, undefined],
  ['Container', true, undefined],
  ['Pod', false, undefined],
  ['Pod', true, pause],
  ['Node', false, node],
  ['Node', true, node],
])('in the process namespace of the %s, reaching PID 1: %s', (processNamespace, reachesPid1, expected) => {
  expect(whySignalsAreUnfit(podView({ processNamespace }), reachesPid1)).toEqual(expected);
});
