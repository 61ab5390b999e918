import { expect, it } from 'vitest';
import {
  afterStep,
  beginSidecar,
  endOfStep,
  mayGoOn,
  type OpenSidecar,
} from '../../../src/apply/sidecar-run.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { PodReading } from '../../../src/model/reading.ts';
import type { Attempt } from '../../../src/plan/sweep-event.ts';
import { attempt, attemptResults, plannedTarget, skippedTarget } from '../../builders/plan.ts';
import { container, now, podView, waiting } from '../../builders/pod-view.ts';
import { swap } from './driven-pod.ts';

const { Accepted, NotThere, Refused, Unconfirmed } = attemptResults;

function sidecar(attempts: readonly Attempt[] = [], more: Partial<OpenSidecar> = {}): OpenSidecar {
  const begun = beginSidecar(plannedTarget());
  if (begun.kind !== 'Open') return expect.fail('it is open');
  return { ...begun, attempts, ...more };
}

const by = (step: Attempt['step'], result: AttemptResult = Accepted): Attempt => ({
  ...attempt(result),
  step,
});
const restarted = { kind: 'Restarted', exitCode: 1, restartCount: 1 } as const;

it.each<readonly [string, OpenSidecar]>([
  ['whatever the answer', sidecar([attempt(NotThere)], { observation: restarted })],
  ['while a step may still work', sidecar([{ ...attempt(), due: now }], { observation: restarted })],
])('a harsher step may follow if the sidecar was restarted, %s', (_title, one) => {
  expect(mayGoOn(one)).toBe(true);
});

// biome-ignore format: one row a line
it.each<readonly [string, string, PodReading | undefined]>([
  ['Unseen', 'without a reading', undefined],
  ['Unseen', 'if it runs', { kind: 'Present', pod: podView(), asOf: now }],
  ['Unseen', 'if the pod is another one', { kind: 'Replaced', uid: 'u' }],
  ['Unseen', 'if it has no status', { kind: 'Present', pod: podView({ containers: [container('sidecar', { kind: 'Unreported' })] }), asOf: now }],
  ['Unclean', 'if it waits to be started again', { kind: 'Present', pod: podView({ containers: [container('sidecar', waiting())] }), asOf: now }],
])('a step ended %s %s', (expected, _title, reading) => {
  const watched = [{ container: 'sidecar', containerId: 'containerd://sidecar-0' }];
  expect(endOfStep({ kind: 'Attempted', attempts: [attempt(Unconfirmed)], watched, reading })).toBe(expected);
  expect(endOfStep({ kind: 'Attempted', attempts: [attempt(Refused)], watched, reading })).toBe('NotSent');
});

it.each<readonly [string, string, string, readonly Attempt[]]>([
  ['Pending', 'was accepted after another step', 'sidecar-0', [attempt(), by(swap)]],
  ['Unseen', 'has put a no-op image there that runs', 'sidecar-1', [by(swap)]],
  ['Pending', 'was not waited for to the end', 'sidecar-0', [{ ...by(swap), due: now }]],
])('a step ended %s if a swap %s', (expected, _title, id, attempts) => {
  const shown = container('sidecar', { kind: 'Running', startedAt: now }, { image: 'noop:1', id });
  const reading = { kind: 'Present', pod: podView({ containers: [shown] }), asOf: now } as const;
  const watched = [{ container: 'sidecar', containerId: 'sidecar-0', swappedFor: 'noop:1' }];
  expect(endOfStep({ kind: 'Attempted', attempts, watched, reading })).toBe(expected);
});

it('a sidecar is open if it was planned, and else closed', () => {
  expect(beginSidecar(plannedTarget())).toMatchObject({ kind: 'Open', container: 'sidecar' });
  expect(beginSidecar(skippedTarget())).toMatchObject({ kind: 'Closed', container: 'sidecar' });
});

it('after a step that others got, a sidecar is as before, and after one that was not sent it is done', () => {
  const before = sidecar([attempt()]);
  const result = { kind: 'Attempted', attempts: [attempt()], watched: [], reading: undefined } as const;
  expect(afterStep(before, result, true)).toEqual(before);
  const outcome = { kind: 'NotAttempted', reason: 'Deadline' } as const;
  expect(afterStep(before, { kind: 'NotSent', outcome }, false)).toEqual({ ...before, isDone: true });
  expect(afterStep(sidecar(), { kind: 'NotSent', outcome }, false)).toMatchObject({
    kind: 'Closed',
    outcome,
  });
});
