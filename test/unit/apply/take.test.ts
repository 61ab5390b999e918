import { describe, expect, it } from 'vitest';
import type { ApplyContext } from '../../../src/apply/context.ts';
import { type Addressee, takeStep } from '../../../src/apply/take.ts';
import { attemptsOf, type Taken } from '../../../src/apply/taken.ts';
import { limitWaits } from '../../../src/apply/wait/limit.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { PlannedStep } from '../../../src/plan/sweep-plan.ts';
import { attemptResults, plannedTarget, steps } from '../../builders/plan.ts';
import { now } from '../../builders/pod-view.ts';
import { type Answers, ask, evict, podOfTwo, Stage } from './stage.ts';

/** A sidecar of the stage's pod. */
function addressee(container = 'sidecar'): Addressee {
  const target = plannedTarget({ container, containerId: `containerd://${container}-0` });
  return { target, watched: { container, containerId: target.containerId }, attempts: [] };
}

function take(
  stage: Stage,
  step: PlannedStep = ask('term'),
  ...containers: readonly string[]
): Promise<Taken> {
  const to = containers.length > 0 ? containers.map(addressee) : [addressee()];
  return stage.finish(takeStep(stage.podPlan, to, step, stage.context));
}

function resultOf(taken: Taken): AttemptResult {
  if (taken.kind !== 'Attempted') expect.fail(taken.kind);
  return taken.attempt.result;
}

async function hasFreeSlot({ context, time }: Stage): Promise<boolean> {
  let isFree = false;
  void context.slots(async () => {
    isFree = true;
  });
  await time.advance(0);
  return isFree;
}

describe('the effect of a step is waited for', () => {
  it('until the container has ended', async () => {
    const stage = new Stage();
    stage.after(2_500, () => stage.end('sidecar'));
    const taken = await take(stage);
    expect(taken).toMatchObject({
      kind: 'Attempted',
      attempt: { step: ask('term'), sentAt: now, duration: 0, result: { kind: 'Accepted' } },
      watched: [addressee().watched],
      reading: { kind: 'Present', asOf: now + 2_500 },
    });
    expect(stage.elapsed).toBe(3_000);
  });

  it('for as long as its grace, and then the last read is what is known', async () => {
    const stage = new Stage();
    expect(await take(stage)).toMatchObject({ reading: { kind: 'Present', asOf: now + 5_000 } });
    expect(stage.elapsed).toBe(5_000);
  });

  it('in all containers that it was for', async () => {
    const stage = new Stage({ pod: podOfTwo() });
    stage.after(500, () => stage.end('a'));
    stage.after(3_500, () => stage.end('b'));
    await take(stage, evict, 'a', 'b');
    expect(stage.elapsed).toBe(4_000);
  });

  it('without occupying a slot', async () => {
    const stage = new Stage({ slots: 1 });
    const work = takeStep(stage.podPlan, [addressee()], ask('term'), stage.context);
    await stage.time.advance(500);
    expect(stage.sent).toEqual(['term sidecar']);
    expect(await hasFreeSlot(stage)).toBe(true);
    await stage.finish(work);
  });

  it('not when it cannot have worked', async () => {
    const stage = new Stage({ asked: () => attemptResults.Refused });
    expect(await take(stage)).toMatchObject({
      attempt: { result: attemptResults.Refused },
      reading: undefined,
    });
    expect(stage.reads).toBe(1);
  });
});

describe('a step is told of once for each container it was for', () => {
  it('before its effect is waited for', async () => {
    const stage = new Stage({ pod: podOfTwo() });
    const work = takeStep(stage.podPlan, [addressee('a'), addressee('b')], evict, stage.context);
    await stage.time.advance(500);
    const attempt = { step: evict, sentAt: now, duration: 0, result: { kind: 'Accepted' } };
    const told = { kind: 'StepSent', pod: stage.ref, attempt };
    expect(stage.heard).toEqual([
      { ...told, container: 'a' },
      { ...told, container: 'b' },
    ]);
    await stage.finish(work);
    expect(stage.heard).toHaveLength(2);
  });

  it('and not at all when nothing was sent', async () => {
    const [overtaken, stopped] = [new Stage(), new Stage()];
    overtaken.end('sidecar');
    expect(await take(overtaken)).toMatchObject({ kind: 'Overtaken' });
    stopped.stop('Signal');
    expect(await take(stopped)).toEqual({
      kind: 'Withheld',
      outcome: { kind: 'NotAttempted', reason: 'Signal' },
    });
    expect([...overtaken.heard, ...stopped.heard]).toEqual([]);
  });
});

it('a step that is held is told of, and the pod is not even read', async () => {
  const stage = new Stage({ pod: podOfTwo() });
  const held: PlannedStep = { ...evict, blocked: 'KnownUnclean' };
  const taken = await take(stage, held, 'a', 'b');
  const attempt = {
    step: held,
    sentAt: now,
    duration: 0,
    result: { kind: 'Blocked', reason: 'KnownUnclean' },
  };
  const watched = [addressee('a').watched, addressee('b').watched];
  expect(taken).toEqual({ kind: 'Attempted', attempt, watched, reading: undefined });
  expect(stage.heard.map((event) => event.kind === 'StepSent' && event.container)).toEqual(['a', 'b']);
  expect(stage.reads).toBe(0);
  expect(stage.sent).toEqual([]);
});

describe('what did not arrive is sent again', () => {
  it('and told of once, as it went in the end', async () => {
    const stage = new Stage({
      asked: () => (stage.sent.length < 4 ? attemptResults.Undelivered : attemptResults.Accepted),
    });
    expect(resultOf(await take(stage))).toEqual({ kind: 'Accepted' });
    expect(stage.sent).toHaveLength(4);
    expect(stage.heard).toHaveLength(1);
  });

  it('until the pod can be read before it', async () => {
    const stage = new Stage();
    stage.shown = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } };
    stage.after(3_000, () => {
      stage.shown = undefined;
    });
    stage.after(4_200, () => stage.end('sidecar'));
    expect(resultOf(await take(stage))).toEqual({ kind: 'Accepted' });
    expect(stage.sent).toEqual(['term sidecar']);
  });

  it('unless the container has ended by then', async () => {
    const stage = new Stage({ asked: () => attemptResults.Undelivered });
    stage.after(100, () => stage.end('sidecar'));
    // That it was asked is told, and the reading tells that it has ended.
    expect(await take(stage)).toMatchObject({
      kind: 'Attempted',
      attempt: { result: { kind: 'Undelivered' } },
      reading: { kind: 'Present', pod: { containers: [{}, { state: { kind: 'Terminated' } }] } },
    });
    expect(stage.sent).toEqual(['term sidecar']);
  });

  it('not when the sweep stops', async () => {
    const stage = new Stage({ asked: () => attemptResults.Undelivered });
    stage.after(100, () => stage.stop('Deadline'));
    const outcome = { kind: 'NotAttempted', reason: 'Deadline' };
    expect(await take(stage)).toEqual({ kind: 'Withheld', outcome });
    expect(stage.sent).toEqual(['term sidecar']);
  });

  it('without occupying a slot meanwhile', async () => {
    const stage = new Stage({ slots: 1, asked: () => attemptResults.Undelivered });
    const work = takeStep(stage.podPlan, [addressee()], ask('term'), stage.context);
    await stage.time.advance(200);
    expect(await hasFreeSlot(stage)).toBe(true);
    await stage.finish(work);
  });
});

describe('an answer that a container may have ended', () => {
  it.each([
    [attemptResults.NotThere, 20_000],
    [attemptResults.Unconfirmed, 25_000],
  ])('is followed by a wait for the proof ($0.kind)', async (result, milliseconds) => {
    const stage = new Stage({ asked: () => result });
    stage.after(milliseconds - 500, () => stage.end('sidecar'));
    expect(await take(stage)).toMatchObject({
      attempt: { result },
      reading: { kind: 'Present', asOf: now + milliseconds },
    });
    expect(stage.sent).toEqual(['term sidecar']);
    expect(stage.elapsed).toBe(milliseconds);
  });

  it('is waited on for so long and no longer', async () => {
    const stage = new Stage({ asked: () => attemptResults.NotThere });
    expect(await take(stage)).toMatchObject({ attempt: { result: attemptResults.NotThere } });
    expect(stage.sent).toEqual(['term sidecar']);
    expect(stage.elapsed).toBe(20_000);
  });
});

describe('a step of which nobody knows whether it arrived is sent once more', () => {
  const firstUnconfirmed: (stage: () => Stage) => Answers['asked'] = (stage) => () =>
    stage().sent.length === 1 ? attemptResults.Unconfirmed : attemptResults.Accepted;

  it('when the container has not ended, and both requests are told of', async () => {
    const stage: Stage = new Stage({ asked: firstUnconfirmed(() => stage) });
    stage.after(27_500, () => stage.end('sidecar'));
    expect(await take(stage)).toMatchObject({
      earlier: [{ sentAt: now, result: attemptResults.Unconfirmed }],
      attempt: { sentAt: now + 25_000, result: { kind: 'Accepted' } },
      reading: { kind: 'Present', asOf: now + 27_500 },
    });
    expect(stage.sent).toEqual(['term sidecar', 'term sidecar']);
    expect(stage.heard).toHaveLength(2);
  });

  it('and not a third time', async () => {
    const stage = new Stage({ asked: () => attemptResults.Unconfirmed });
    await take(stage);
    expect(stage.sent).toEqual(['term sidecar', 'term sidecar']);
    expect(stage.elapsed).toBe(50_000);
  });

  it('but up to four times if the connection broke before it was opened', async () => {
    const unopened = { ...attemptResults.Unconfirmed, unopened: true } as const;
    const stage = new Stage({ asked: () => unopened });
    await take(stage);
    expect(stage.sent).toHaveLength(4);
  });

  it.each([
    ['an image swap', steps.ImageSwap],
    ['an eviction', steps.Evict],
    ['a deletion', steps.Delete],
  ])(
    'but %s up to four times, because the sidecar learns nothing of a second write',
    async (_title, step) => {
      const stage = new Stage({ written: () => attemptResults.Unconfirmed });
      const taken = await take(stage, { ...step, grace: 2_000 });
      expect(stage.sent).toHaveLength(4);
      expect(taken.kind === 'Attempted' && attemptsOf(taken)).toHaveLength(4);
    },
  );

  it('not when the sweep stops', async () => {
    const stage = new Stage({ asked: () => attemptResults.Unconfirmed });
    stage.after(1_500, () => stage.stop('Signal'));
    await take(stage);
    expect(stage.sent).toEqual(['term sidecar']);
  });
});

describe('a step that takes longer than a sweep may wait for a pod', () => {
  const hour = 3_600_000;
  const slow: PlannedStep = { ...ask('term'), grace: hour };
  const long = (stage: Stage) => ({ ...stage.podPlan, targets: [plannedTarget({ steps: [slow] })] });
  const takeWith = (stage: Stage, more: Partial<ApplyContext> = {}) =>
    stage.finish(
      takeStep(long(stage), [addressee()], slow, { ...limitWaits(stage.context, 20_000), ...more }),
    );
  /** A memory in which an earlier sweep has noted every step. */
  const noting = (stage: Stage, due: number) => ({
    memory: { ...stage.context.memory, begun: async () => ({ at: now - 1_000, due }) },
  });

  it('is not sent once more if it is unknown whether it arrived', async () => {
    const stage = new Stage({ asked: () => attemptResults.Unconfirmed });
    expect(await takeWith(stage)).toMatchObject({ attempt: { due: now + hour + 20_000 } });
    expect(stage.sent).toEqual(['term sidecar']);
  });

  it('is not sent again by the next sweep, which waits on', async () => {
    const stage = new Stage();
    stage.after(3_000, () => stage.end('sidecar'));
    const taken = await takeWith(stage, noting(stage, now + hour));
    expect(stage.sent).toEqual([]);
    expect(stage.elapsed).toBe(3_000);
    expect(taken).toMatchObject({ attempt: { sentAt: now - 1_000, result: { kind: 'Accepted' } } });
    expect(stage.heard).toEqual([]);
  });

  it('is not waited for any longer when its time is over', async () => {
    const stage = new Stage();
    const taken = await takeWith(stage, noting(stage, now));
    expect([stage.sent, stage.reads]).toEqual([[], 0]);
    expect(taken.kind === 'Attempted' && taken.attempt.due).toBeUndefined();
  });
});
