import { describe, expect, it } from 'vitest';
import { type Key, keysOf } from '../../../../src/apply/guard/key.ts';
import { Trial } from '../../../../src/apply/guard/trial.ts';
import type { AttemptResult } from '../../../../src/model/outcome.ts';
import type { Observation } from '../../../../src/model/reading.ts';
import type { PlannedStep, PlannedTarget } from '../../../../src/plan/sweep-plan.ts';
import { attempt, attemptResults, step, steps } from '../../../builders/plan.ts';
import { alike, clean, notStarted, restarted, sidecar, stillRunning, unclean } from './asking.ts';

const { ImageSwap: swap, Evict: evict } = steps;
const freeSwap: PlannedStep = { ...swap, clearance: 'Free' };

/** Sidecars `sidecar-0`, `sidecar-1`… of these images. */
function targets(...images: readonly string[]): readonly PlannedTarget[] {
  return images.map((image, index) => sidecar({ container: `sidecar-${index}`, image }));
}

function namesOf(sent: PlannedStep, ...images: readonly string[]): readonly string[] {
  return keysOf(sent, targets(...images)).map(({ name }) => name);
}

function only(sent: PlannedStep, of: readonly PlannedTarget[] = [sidecar()]): Key {
  const [key, ...others] = keysOf(sent, of);
  if (!key || others.length > 0) expect.fail(`${others.length} other keys`);
  return key;
}

describe('what is tried first', () => {
  it('is what is started alike, where a step may end it unclean', () => {
    const image = 'docker.io/local/busybox:1';
    const name = `program ${alike(image, 'busybox')}`;
    expect(only(step())).toMatchObject({ name, image, alike: alike(image, 'busybox') });
    expect(only({ ...step(), clearance: 'Follower' }).name).toBe(name);
  });

  it('is nothing where a step is free to go', () => {
    expect(keysOf(step(15, { clearance: 'Free' }), targets('a:1'))).toEqual([]);
    expect(keysOf({ ...evict, clearance: 'Free' }, targets('a:1', 'b:1'))).toEqual([]);
  });

  it('is each program once, in one order, whichever order the pod has them in', () => {
    const inOrder = ['a:1', 'b:1', 'c:1'].map((image) => `program ${alike(image, 'busybox')}`);
    expect(namesOf(evict, 'a:1', 'b:1', 'c:1')).toEqual(inOrder);
    expect(namesOf(evict, 'c:1', 'a:1', 'c:1', 'b:1', 'a:1')).toEqual(inOrder);
  });

  it.each([swap, freeSwap])(
    'is that a no-op image is pulled and runs each program, clearance $clearance',
    (sent) => {
      const pull = '["IfNotPresent",[],"linux/amd64"]';
      const [a, b, c] = targets('a:1', 'b:1', 'c:1');
      if (!a || !b || !c) expect.fail('three targets');
      const keys = keysOf(sent, [{ ...a, program: 'proxy' }, b, { ...c, program: 'proxy' }]);
      expect(keys.map(({ name }) => name)).toEqual([
        `image noop:1 ${pull}`,
        `program in noop:1 ${JSON.stringify([pull, 'proxy'])}`,
        `program in noop:1 ${JSON.stringify([pull, null])}`,
      ]);
      expect(keys.map(({ image }) => image)).toEqual(Array(3).fill('noop:1'));
    },
  );
});

describe('a way is what exactly is done:', () => {
  it('the step', () => {
    const { command } = step();
    expect(only(step()).way).toBe(JSON.stringify({ method: 'Command', command }));
  });

  it.each<readonly [title: string, sent: PlannedStep]>([
    ['its grace', step(15, { grace: 1 })],
    ['who says so', step(15, { source: { kind: 'LastResort' } })],
    ['what can be lost', step(15, { clearance: 'Follower' })],
  ])('%s makes no difference', (_title, sent) => {
    expect(only(sent).way).toBe(only(step()).way);
  });

  it.each<readonly [title: string, sent: PlannedStep]>([
    ['another command', step(9)],
    ['another method', steps.Signal],
  ])('%s does', (_title, sent) => {
    expect(only(sent).way).not.toBe(only(step()).way);
  });
});

/** What a trial knows after one pod has told what it saw of its containers. */
function learnt(key: Key, result: AttemptResult | undefined, ...seen: readonly Observation[]) {
  const trial = new Trial();
  const byContainer = (container: string) => seen[Number(container.split('-')[1])] ?? stillRunning;
  key.learn(trial, 'uid-1', result && attempt(result), byContainer);
  return { way: trial.known(key.way), other: trial.known('other'), again: trial.isTriedBy('uid-1') };
}

const nothing = { way: undefined, other: undefined, again: false };
const itsWay = { ...nothing, way: 'Go' };
const endedUnclean = { way: 'CanaryEndedUnclean', other: 'CanaryEndedUnclean', again: false };
const notEnded = { way: 'CanaryNotEnded', other: 'CanaryNotEnded', again: true };

describe('a program has taught', () => {
  const program = only(evict, targets('a:1', 'a:1'));
  const { Accepted, Unconfirmed, NoSuchProgram } = attemptResults;
  type Row = readonly [string, AttemptResult | undefined, readonly [Observation, Observation], object];

  it.each<Row>([
    ['that its way is safe when all of it ended with 0', Accepted, [clean, clean], itsWay],
    ['the same when nobody knows whether the request arrived', Unconfirmed, [clean, clean], itsWay],
    ['how it ends when it ended with another code', Accepted, [unclean, unclean], endedUnclean],
    ['how it ends when it was restarted', Accepted, [restarted, restarted], endedUnclean],
    [
      'that it may not end when it was restarted, whatever it had ended with',
      Accepted,
      [{ kind: 'Restarted', exitCode: 0, restartCount: 1 }, clean],
      endedUnclean,
    ],
    ['how it ends by one of two', Accepted, [clean, unclean], endedUnclean],
    ['how it ends by one, whatever becomes of the other', Accepted, [unclean, stillRunning], endedUnclean],
    ['nothing yet while it runs, and it may go on', Accepted, [stillRunning, stillRunning], notEnded],
    ['nothing yet while one of two runs', Unconfirmed, [clean, stillRunning], notEnded],
    ['nothing yet when its pod is gone', Accepted, [{ kind: 'Gone' }, { kind: 'Gone' }], notEnded],
    ['that no image of its kind has the program', NoSuchProgram, [stillRunning, stillRunning], itsWay],
    ['nothing when nothing was sent', undefined, [clean, clean], nothing],
    ['nothing when nothing was sent to what then ended', undefined, [unclean, unclean], nothing],
  ])('%s', (_title, result, seen, expected) => {
    expect(learnt(program, result, ...seen)).toEqual(expected);
  });

  it.each([
    attemptResults.Refused,
    attemptResults.Unsupported,
    attemptResults.Immune,
    attemptResults.Held,
    attemptResults.Busy,
    attemptResults.Undelivered,
  ])('nothing by a step that cannot have worked ($kind)', (result) => {
    expect(learnt(program, result, unclean, unclean)).toEqual(nothing);
  });

  it('nothing by the end of another image', () => {
    const [a, b] = keysOf(evict, targets('a:1', 'b:1'));
    if (!a || !b) expect.fail('two keys');
    expect(learnt(a, Accepted, clean, unclean)).toEqual(itsWay);
    expect(learnt(b, Accepted, clean, unclean)).toEqual(endedUnclean);
  });
});

describe('a no-op image has taught', () => {
  const [pull, program] = keysOf(freeSwap, targets('a:1', 'b:1'));
  if (!pull || !program) throw new Error('two keys');
  const doesNotStart = { way: 'NoopDoesNotStart', other: 'NoopDoesNotStart', again: false };
  const crashes: Observation = { kind: 'NotStarted', reason: 'CrashLoopBackOff' };
  type Row = readonly [title: string, seen: readonly [Observation, Observation], pulled: object, ran: object];

  it.each<Row>([
    ['that it runs', [clean, clean], itsWay, itsWay],
    ['that it is pulled, and ends otherwise', [clean, unclean], itsWay, doesNotStart],
    ['that it is pulled, and is restarted', [restarted, clean], itsWay, doesNotStart],
    ['that it cannot be pulled', [notStarted, notStarted], doesNotStart, doesNotStart],
    ['that it cannot be pulled in the place of one of two', [clean, notStarted], doesNotStart, doesNotStart],
    ['that its program does not start', [crashes, crashes], nothing, doesNotStart],
    ['nothing yet while the old one runs', [stillRunning, stillRunning], nothing, notEnded],
    ['nothing when the pod is gone', [{ kind: 'Gone' }, { kind: 'Gone' }], nothing, nothing],
  ])('%s', (_title, seen, pulled, ran) => {
    expect(learnt(pull, { kind: 'Accepted' }, ...seen)).toEqual(pulled);
    expect(learnt(program, { kind: 'Accepted' }, ...seen)).toEqual(ran);
  });
});
