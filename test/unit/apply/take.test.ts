import { describe, expect, it } from 'vitest';
import { type Addressee, takeStep } from '../../../src/apply/take.ts';
import type { Taken } from '../../../src/apply/taken.ts';
import type { PlannedStep } from '../../../src/plan/sweep-plan.ts';
import type { AttemptResult } from '../../../src/vocabulary.ts';
import { attemptResults, plannedTarget, steps } from '../../builders/plan.ts';
import { now } from '../../builders/pod-view.ts';
import { ask, evict, podOfTwo, Stage } from './stage.ts';

/** A sidecar of the stage's pod. */
function addressee(container = 'sidecar'): Addressee {
  const target = plannedTarget({ container, containerId: `containerd://${container}-0` });
  return { target, watched: { container, containerId: target.containerId } };
}

function take(
  stage: Stage,
  step: PlannedStep = ask('term'),
  ...containers: readonly string[]
): Promise<Taken> {
  const to = containers.length > 0 ? containers.map(addressee) : [addressee()];
  return stage.finish(takeStep(stage.ref, to, step, stage.context));
}

function resultOf(taken: Taken): AttemptResult {
  if (taken.kind !== 'Attempted') expect.fail(taken.kind);
  return taken.attempt.result;
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
      reading: { kind: 'Present', asOf: now + 3_000 },
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

  it('also when nobody knows whether it arrived', async () => {
    const stage = new Stage({ asked: () => attemptResults.Unconfirmed });
    expect(await take(stage)).toMatchObject({ reading: { kind: 'Present' } });
    expect(stage.elapsed).toBe(5_000);
  });

  it('without occupying a slot', async () => {
    const stage = new Stage({ slots: 1 });
    const work = takeStep(stage.ref, [addressee()], ask('term'), stage.context);
    await stage.time.advance(500);
    expect(stage.sent).toEqual(['term sidecar']);
    let hadSlot = false;
    void stage.context.slots(async () => {
      hadSlot = true;
    });
    await stage.time.advance(0);
    expect(hadSlot).toBe(true);
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
    const work = takeStep(stage.ref, [addressee('a'), addressee('b')], evict, stage.context);
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
  const held: PlannedStep = { ...evict, clearance: 'KnownUnclean' };
  const taken = await take(stage, held, 'a', 'b');
  const attempt = {
    step: held,
    sentAt: now,
    duration: 0,
    result: { kind: 'Held', reason: 'KnownUnclean' },
  };
  const watched = [addressee('a').watched, addressee('b').watched];
  expect(taken).toEqual({ kind: 'Attempted', attempt, watched, reading: undefined });
  expect(stage.heard.map((event) => event.kind === 'StepSent' && event.container)).toEqual(['a', 'b']);
  expect(stage.reads).toBe(0);
  expect(stage.sent).toEqual([]);
});

describe('a server that is busy', () => {
  const busy = (retryAfter?: number) =>
    ({ kind: 'Busy', message: 'the budget allows none', retryAfter }) as const;

  it('is asked again after the time it asks for, and the last answer counts', async () => {
    const stage = new Stage({ written: () => (stage.sent.length < 3 ? busy(7_000) : { kind: 'Written' }) });
    stage.after(15_000, () => stage.end('sidecar'));
    expect(resultOf(await take(stage, evict))).toEqual({ kind: 'Accepted' });
    expect(stage.sent).toEqual(['evict', 'evict', 'evict']);
    expect(stage.elapsed).toBe(15_000);
    expect(stage.heard).toHaveLength(1);
  });

  it('is asked again after 2, 4 and 8 seconds when it does not say', async () => {
    const times: number[] = [];
    const stage = new Stage({
      written: () => {
        times.push(stage.elapsed);
        return busy();
      },
    });
    expect(resultOf(await take(stage, evict))).toEqual({ kind: 'Busy', message: 'the budget allows none' });
    expect(times).toEqual([0, 2_000, 6_000, 14_000]);
    expect(stage.elapsed).toBe(14_000);
  });

  it('is not waited for longer than 30 seconds at a time', async () => {
    const stage = new Stage({ written: () => busy(3_600_000) });
    expect(resultOf(await take(stage, evict))).toMatchObject({ kind: 'Busy', retryAfterMs: 3_600_000 });
    expect(stage.sent).toHaveLength(4);
    expect(stage.elapsed).toBe(90_000);
  });

  it('is not asked again when the sweep stops', async () => {
    const stage = new Stage({ written: () => busy() });
    stage.after(1_000, () => stage.stop('Deadline'));
    expect(await take(stage, evict)).toEqual({
      kind: 'Withheld',
      outcome: { kind: 'NotAttempted', reason: 'Deadline' },
    });
    expect(stage.sent).toEqual(['evict']);
    expect(stage.elapsed).toBe(1_000);
  });

  it('is not asked again when the sweep stops while it answers', async () => {
    const stage = new Stage({
      written: () => {
        stage.stop('Deadline');
        return busy();
      },
    });
    expect(resultOf(await take(stage, evict))).toMatchObject({ kind: 'Busy' });
    expect(stage.sent).toEqual(['evict']);
  });

  it('occupies no slot meanwhile', async () => {
    const stage = new Stage({ slots: 1, written: () => busy() });
    const work = takeStep(stage.ref, [addressee()], evict, stage.context);
    await stage.time.advance(1_000);
    let hadSlot = false;
    void stage.context.slots(async () => {
      hadSlot = true;
    });
    await stage.time.advance(0);
    expect(hadSlot).toBe(true);
    await stage.finish(work);
  });
});

describe('the guard learns from a pod that went first', () => {
  const canary = ask('term', { clearance: 'Canary' });
  const other = { namespace: 'demo', name: 'other', uid: 'uid-2' };

  /** What it says to the next pod. */
  async function next(stage: Stage): Promise<string> {
    const permit = await stage.finish(stage.context.guard.permit(other, [plannedTarget()], canary));
    return permit.kind === 'Held' ? permit.reason : permit.kind;
  }

  it.each<readonly [title: string, happens: (stage: Stage) => void, said: string]>([
    ['that ended with 0', (stage) => stage.after(900, () => stage.end('sidecar')), 'Go'],
    ['that ended unclean', (stage) => stage.after(900, () => stage.end('sidecar', 1)), 'CanaryEndedUnclean'],
    ['that was restarted', (stage) => stage.after(900, () => stage.restart('sidecar')), 'CanaryEndedUnclean'],
    ['that has not ended', () => undefined, 'CanaryNotEnded'],
    ['that had ended before', (stage) => stage.end('sidecar', 1), 'First'],
    ['that was no longer stuck', (stage) => stage.change({ deleting: true }), 'First'],
  ])('%s', async (_title, happens, said) => {
    const stage = new Stage();
    happens(stage);
    await take(stage, canary);
    expect(await next(stage)).toBe(said);
  });

  it('to which nothing was delivered', async () => {
    const stage = new Stage({ asked: () => attemptResults.Undelivered });
    await take(stage, canary);
    expect(await next(stage)).toBe('First');
  });

  it('whose image was swapped for one that does not start', async () => {
    const swap: PlannedStep = { ...steps.ImageSwap, clearance: 'Free', grace: 2_000 };
    const stage = new Stage({
      written: () => {
        stage.changeContainer('sidecar', {
          image: 'noop:1',
          state: { kind: 'Waiting', reason: 'ErrImagePull' },
        });
        return { kind: 'Written' };
      },
    });
    await take(stage, swap);
    const permit = await stage.context.guard.permit(other, [plannedTarget()], swap);
    expect(permit).toEqual({ kind: 'Held', reason: 'NoopDoesNotStart' });
  });
});
