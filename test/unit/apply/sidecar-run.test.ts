import { expect, it } from 'vitest';
import {
  afterStep,
  beginSidecar,
  endOfStep,
  isProved,
  isSwapped,
  mayGoOn,
  mayStillRun,
  type OpenSidecar,
  whyNotSent,
  wouldBeRefused,
} from '../../../src/apply/sidecar-run.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { PodReading } from '../../../src/model/reading.ts';
import type { Attempt } from '../../../src/plan/sweep-event.ts';
import { attempt, attemptResults, plannedTarget, skippedTarget, steps } from '../../builders/plan.ts';
import { container, now, podView, waiting } from '../../builders/pod-view.ts';
import { ask, request, swap } from './driven-pod.ts';

const { Accepted, Blocked, Immune, NotThere, NoSuchProgram, Refused, Unconfirmed, Undelivered } =
  attemptResults;

function sidecar(attempts: readonly Attempt[] = [], more: Partial<OpenSidecar> = {}): OpenSidecar {
  const begun = beginSidecar(plannedTarget());
  if (begun.kind !== 'Open') return expect.fail('it is open');
  return { ...begun, attempts, ...more };
}

const by = (step: Attempt['step'], result: AttemptResult = Accepted): Attempt => ({
  ...attempt(result),
  step,
});
const cut: Attempt = { ...attempt(), due: now };
const restarted = { kind: 'Restarted', exitCode: 1, restartCount: 1 } as const;
const noUpgrade = { ...Undelivered, noUpgrade: true } as const;

it.each<readonly [boolean, string, OpenSidecar]>([
  [true, 'nothing was sent', sidecar()],
  [true, 'it has outlived a step', sidecar([attempt()])],
  [true, 'a step was refused', sidecar([attempt(Refused)])],
  [false, 'a request merely failed', sidecar([attempt(Undelivered)])],
  [false, 'it may have ended', sidecar([attempt(NotThere)])],
  [false, 'a step may still work', sidecar([cut])],
  [true, 'it was restarted, whatever the answer', sidecar([attempt(NotThere)], { observation: restarted })],
  [true, 'it was restarted while a step may still work', sidecar([cut], { observation: restarted })],
])('a harsher step may follow (%s) if %s', (expected, _title, one) => {
  expect(mayGoOn(one)).toBe(expected);
});

it.each<readonly [boolean, string, OpenSidecar]>([
  [true, 'runs', sidecar([attempt()])],
  [true, 'was restarted', sidecar([], { observation: restarted })],
  [false, 'is gone', sidecar([], { observation: { kind: 'Gone' } })],
  [false, 'was swapped', sidecar([by(swap)])],
  [true, 'was not swapped, as that was refused', sidecar([by(swap, Refused)])],
])('a sidecar may still run (%s) that %s', (expected, _title, one) => {
  expect(mayStillRun(one)).toBe(expected);
  expect(isSwapped(one)).toBe(one.attempts.some(({ step, result }) => step === swap && result === Accepted));
});

it.each<readonly [string, OpenSidecar, number]>([
  ['nothing was sent', sidecar(), Number.NEGATIVE_INFINITY],
  ['a step may have ended it', sidecar([attempt()]), now + 50_012.5],
  ['it has answered since', sidecar([attempt(), attempt(Immune)]), Number.NEGATIVE_INFINITY],
])('a status proves nothing until then: %s', (_title, one, until) => {
  expect([isProved(one, until - 1), isProved(one, until)]).toEqual([
    until === Number.NEGATIVE_INFINITY,
    true,
  ]);
  expect(isProved({ ...one, observation: { kind: 'Gone' } }, now)).toBe(true);
});

it.each<readonly [boolean, string, Attempt['step'], readonly Attempt[]]>([
  [true, 'by exec', ask('kill'), [attempt(noUpgrade)]],
  [false, 'by another way', request('quit'), [attempt(noUpgrade)]],
  [false, 'by exec, as a request merely failed', ask('kill'), [attempt(Undelivered)]],
  [true, 'by exec, as one of two was refused it', ask('kill'), [attempt(Refused), attempt(noUpgrade)]],
])('a step would be refused (%s): %s', (expected, _title, step, attempts) => {
  expect(wouldBeRefused(step, sidecar(attempts))).toBe(expected);
});

const broken: AttemptResult = { kind: 'Blocked', reason: 'PromiseBroken' };
const kill = ask('kill', { exitCode: 137 });

it.each<readonly [string, Parameters<typeof whyNotSent>[0], readonly Attempt[], string | undefined]>([
  ['by its plan', { ...steps.Command, blocked: 'NoopUnknown' }, [], 'NoopUnknown'],
  ['as the one before a KILL', kill, [attempt(Blocked)], 'UnknownEnd'],
  ['not as another before', ask('quit'), [attempt(Blocked)], undefined],
  ['as a broken promise', ask('quit'), [attempt(broken)], 'PromiseBroken'],
  ['as a broken promise, also from beside it', steps.EphemeralContainer, [attempt(broken)], 'PromiseBroken'],
  ['not as a broken promise, if it is a swap', swap, [attempt(broken)], undefined],
  ['not as a broken promise, if it ends the pod', steps.Evict, [attempt(broken)], undefined],
  ['not as a program that was not there', kill, [attempt(NoSuchProgram)], undefined],
])('a step is blocked %s', (_title, step, attempts, expected) => {
  expect(whyNotSent(step, [sidecar(attempts)])).toBe(expected);
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
