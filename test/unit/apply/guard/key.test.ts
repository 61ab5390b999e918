import { describe, expect, it } from 'vitest';
import { type Key, keysOf } from '../../../../src/apply/guard/key.ts';
import { Trial } from '../../../../src/apply/guard/trial.ts';
import type { PlannedStep, PlannedTarget } from '../../../../src/plan/sweep-plan.ts';
import type { AttemptResult, Observation } from '../../../../src/vocabulary.ts';
import { attempt, attemptResults, plannedTarget, step, steps } from '../../../builders/plan.ts';
import { clean, notStarted, restarted, stillRunning, unclean } from './asking.ts';

const { ImageSwap: swap, Evict: evict } = steps;
const freeSwap: PlannedStep = { ...swap, clearance: 'Free' };

/** Sidecars `sidecar-0`, `sidecar-1`… of these images. */
function targets(...images: readonly string[]): readonly PlannedTarget[] {
  return images.map((image, index) => plannedTarget({ container: `sidecar-${index}`, image }));
}

function namesOf(sent: PlannedStep, ...images: readonly string[]): readonly string[] {
  return keysOf(sent, targets(...images)).map(({ name }) => name);
}

function only(sent: PlannedStep, of: readonly PlannedTarget[] = [plannedTarget()]): Key {
  const [key, ...others] = keysOf(sent, of);
  if (!key || others.length > 0) expect.fail(`${others.length} other keys`);
  return key;
}

describe('what is tried first', () => {
  it('is the program of a sidecar that a step may end unclean', () => {
    expect(only(step())).toMatchObject({
      name: 'program docker.io/local/busybox:1',
      images: ['docker.io/local/busybox:1'],
      program: 'docker.io/local/busybox:1',
    });
  });

  it('is nothing where a step is free to go', () => {
    expect(keysOf(step(15, { clearance: 'Free' }), targets('a:1'))).toEqual([]);
    expect(keysOf({ ...evict, clearance: 'Free' }, targets('a:1', 'b:1'))).toEqual([]);
  });

  it('is each program once, in one order, whichever order the pod has them in', () => {
    const inOrder = ['program a:1', 'program b:1', 'program c:1'];
    expect(namesOf(evict, 'a:1', 'b:1', 'c:1')).toEqual(inOrder);
    expect(namesOf(evict, 'c:1', 'a:1', 'c:1', 'b:1', 'a:1')).toEqual(inOrder);
  });

  it('is the no-op image that is put in the place of programs, whatever they end with', () => {
    expect(only(freeSwap, targets('b:1', 'a:1', 'b:1'))).toMatchObject({
      name: 'image noop:1',
      way: '',
      images: ['b:1', 'a:1'],
      program: undefined,
    });
  });

  it('is both, the no-op image before what ends in the place of a program', () => {
    const names = ['image noop:1', 'program swapped for a:1', 'program swapped for b:1'];
    expect(namesOf(swap, 'b:1', 'a:1')).toEqual(names);
    expect(keysOf(swap, targets('b:1', 'a:1')).map(({ images, program }) => [images, program])).toEqual([
      [['b:1', 'a:1'], undefined],
      [['a:1'], 'a:1'],
      [['b:1'], 'b:1'],
    ]);
  });
});

describe('a way is what exactly is done to what exactly:', () => {
  it('the step and how the container was started', () => {
    const { command } = step();
    expect(only(step()).way).toBe(JSON.stringify([['[null,null]'], { method: 'Command', command }]));
  });

  it('of all sidecars of the image, and of no other', () => {
    const [a, b, other] = targets('a:1', 'a:1', 'b:1');
    if (!a || !b || !other) expect.fail('three targets');
    const keys = keysOf(evict, [{ ...a, variant: 'x' }, { ...b, variant: 'y' }, other]);
    expect(keys.map(({ way }) => way)).toEqual([
      '[["x","y"],{"method":"Evict"}]',
      '[["[null,null]"],{"method":"Evict"}]',
    ]);
  });

  it.each<readonly [title: string, sent: PlannedStep]>([
    ['its grace', step(15, { grace: 1 })],
    ['who says so', step(15, { source: { kind: 'LastResort' } })],
  ])('%s makes no difference', (_title, sent) => {
    expect(only(sent).way).toBe(only(step()).way);
  });

  it.each<readonly [title: string, sent: PlannedStep, of: Partial<PlannedTarget>]>([
    ['another command', step(9), {}],
    ['another method', steps.Signal, {}],
    ['a container that is started otherwise', step(), { variant: 'b' }],
  ])('%s does', (_title, sent, of) => {
    expect(only(sent, [plannedTarget(of)]).way).not.toBe(only(step()).way);
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
  const image = only(freeSwap, targets('a:1', 'b:1'));
  const doesNotStart = { way: 'NoopDoesNotStart', other: 'NoopDoesNotStart', again: false };

  it.each<readonly [title: string, seen: readonly [Observation, Observation], expected: object]>([
    ['that it runs', [clean, clean], itsWay],
    ['that it runs, whatever it ends with', [unclean, stillRunning], itsWay],
    ['that it does not start', [notStarted, notStarted], doesNotStart],
    ['that it does not start in the place of one of two', [clean, notStarted], doesNotStart],
    ['nothing while the old one runs', [stillRunning, stillRunning], nothing],
    ['nothing when somebody else has restarted it', [restarted, restarted], nothing],
    ['nothing when the pod is gone', [{ kind: 'Gone' }, { kind: 'Gone' }], nothing],
  ])('%s', (_title, seen, expected) => {
    expect(learnt(image, { kind: 'Accepted' }, ...seen)).toEqual(expected);
  });
});
