import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTerminationMessage } from '../../../../src/report/sweep/view.ts';
import {
  candidateOf,
  endOf,
  finished,
  podRef,
  reportOf,
  started,
  sweepOf,
} from '../../../builders/report.ts';

function stuckPods(count: number, name = (number: number) => `pod-${number}`) {
  return Array.from({ length: count }, (_, number) =>
    candidateOf(number, { ref: { ...podRef(number), name: name(number) } }),
  );
}

describe('the termination message', () => {
  it('has the result, the numbers and the unresolved pods', () => {
    const pods = stuckPods(2);
    const warned = { kind: 'Warned', warning: { kind: 'ListInconsistent' } } as const;
    const report = sweepOf(pods, ...pods.map((pod) => endOf(pod, { kind: 'Running' })), warned);
    expect(toTerminationMessage(report, 4).split('\n')).toEqual([
      'exit code 4',
      '2 pods still running (sidecar). To end them: allow image swaps: --noop-image',
      '2 pods listed, 2 stuck. It took 4s.',
      'warning: the list of pods expired while it was being read, so pods that changed meanwhile may be missing or out of date',
      'unresolved: demo/pod-0: still stuck',
      'unresolved: demo/pod-1: still stuck',
    ]);
  });

  it('shows a failed read, a dry run and an early stop', () => {
    const problem = { kind: 'Forbidden', message: 'pods is forbidden' } as const;
    const unread = sweepOf([], { kind: 'ReadFailed', namespace: 'etl', problem });
    expect(toTerminationMessage(unread, 3)).toMatch(
      /^exit code 3\n[\s\S]*^unread: cannot list .* etl: pods is forbidden/m,
    );
    const dry = reportOf(started({ dryRun: true }), finished);
    expect(toTerminationMessage(dry, 0)).toContain('(dry run: nothing was sent)');
    const expected = /^exit code 5\n.*It took 4s \(stopped early: the sweep reached its --deadline\)\./;
    expect(toTerminationMessage(sweepOf([], { kind: 'Stopping', reason: 'Deadline' }), 5)).toMatch(expected);
  });

  it('always fits into a termination message, and counts the omitted lines', () => {
    fc.assert(
      fc.property(fc.nat(80), fc.string({ maxLength: 300, unit: 'grapheme' }), (count, name) => {
        const pods = stuckPods(count, () => name);
        const message = toTerminationMessage(sweepOf(pods), 4);
        expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4096);
        const [, missing = '0'] = /^\.\.\. and (\d+) more lines$/m.exec(message) ?? [];
        const told = message.split('\n').filter((line) => line.startsWith('unresolved: ')).length;
        expect(told + Number(missing)).toBe(count);
      }),
      { numRuns: 60 },
    );
  });
});
