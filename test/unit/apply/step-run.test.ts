import { describe, expect, it } from 'vitest';
import type { StepEnd } from '../../../src/apply/gates/gate.ts';
import type { Sent } from '../../../src/apply/send.ts';
import {
  afterReading,
  afterSent,
  afterTime,
  beginStep,
  recallStep,
  type StepTimes,
} from '../../../src/apply/step-run.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { PlannedStep } from '../../../src/plan/sweep-plan.ts';
import { attempt, attemptResults } from '../../builders/plan.ts';
import { exited, now, waiting } from '../../builders/pod-view.ts';
import {
  ask,
  asked,
  both,
  type Change,
  changes,
  changesContainer,
  type Driving,
  deletePod,
  drive,
  ends,
  evict,
  podOfTwo,
  restarts,
  shows,
  stops,
  swap,
  swappedTo,
  term,
} from './driven-pod.ts';

const { Accepted, Busy, Undelivered, Unconfirmed, NotThere, Refused } = attemptResults;
const unread = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } } as const;

/** The only sidecar is sent one step. */
function driveOne(answers: readonly AttemptResult[], more: Driving = {}, step: PlannedStep = term) {
  const word = step.method === 'Command' ? 'term' : step.method.toLowerCase();
  return drive({ targets: [asked([step])], answers: { [word]: answers }, ...more });
}

function times(log: string): readonly number[] {
  return log === '' ? [] : log.split('; ').map((line) => Number.parseInt(line, 10));
}

const steep = [0, 1_000, 3_000, 7_000, 15_000, 25_000, 35_000];

const watched = [{ container: 'sidecar', containerId: 'containerd://sidecar-0' }];
const podOfA = [{ container: 'a', containerId: 'containerd://a-0' }];
const stepTimes: StepTimes = { now, cut: (time) => time, stopping: undefined };
const begun = beginStep(3, term, watched, stepTimes);

describe('what was never sent', () => {
  const lost: Sent = { kind: 'NotSent', outcome: { kind: 'NotAttempted', reason: 'NodeUnreachable' } };
  const stopped: Sent = { kind: 'NotSent', outcome: { kind: 'NotAttempted', reason: 'Signal' } };
  const gone: Sent = { kind: 'AlreadyEnded', reading: { kind: 'Gone' } };
  const missed = { ...begun, missed: attempt(Undelivered) };

  it.each([lost, stopped, gone])('is no attempt', (sent) => {
    expect(afterSent(begun, sent, 0, stepTimes)).toEqual({ kind: 'Done', result: sent });
  });

  it('is none when the sweep stops after a try that did not arrive', () => {
    expect(afterSent(missed, stopped, 0, stepTimes)).toEqual({ kind: 'Done', result: stopped });
  });

  it('is one that did not arrive if a node is lost after that', () => {
    const result = { kind: 'Attempted', attempts: [attempt(Undelivered)], watched, reading: undefined };
    const told = { kind: 'Done', result, report: { containers: ['sidecar'], attempt: attempt(Undelivered) } };
    expect(afterSent(missed, lost, 0, stepTimes)).toEqual(told);
  });

  it('is asked for once more after a pause', () => {
    const sent = { kind: 'Attempted', attempt: attempt(Busy), watched } as const;
    const waits = { kind: 'Waits', run: { state: { kind: 'Paused', until: now + 10_500 }, tries: 1 } };
    expect(afterSent(begun, sent, 0, stepTimes)).toMatchObject(waits);
    const paused = { ...missed, state: { kind: 'Paused', until: now } } as const;
    const run = { ...missed, state: { kind: 'Asked' } };
    expect(afterTime(paused, undefined, stepTimes)).toEqual({ kind: 'Sends', run, isAgain: false });
    expect(afterTime(paused, undefined, { ...stepTimes, now: now - 1 })).toEqual({
      kind: 'Waits',
      run: paused,
    });
  });

  it('waits for no time that is not up', () => {
    expect(afterTime(begun, undefined, { ...stepTimes, stopping: 'Signal' })).toEqual({
      kind: 'Waits',
      run: begun,
    });
    expect(afterReading(begun, { kind: 'Gone' })).toEqual({ kind: 'Waits', run: begun });
  });
});

describe('what was sent', () => {
  const shown = { kind: 'Showing', until: now + 5_000, due: now + 5_000 } as const;
  const again = [{ container: 'sidecar', containerId: 'containerd://sidecar-1' }];

  it('is waited for, in the instances that it was sent to last', () => {
    const before = {
      ...begun,
      arrived: [attempt(Unconfirmed)],
      missed: attempt(Busy),
      watched: [...watched, ...podOfA],
    };
    const sent = { kind: 'Attempted', attempt: { ...attempt(), step: term }, watched: again } as const;
    const run = { ...before, arrived: [attempt(Unconfirmed), sent.attempt], missed: undefined, state: shown };
    const waits = {
      kind: 'Waits',
      run: { ...run, watched: [...again, ...podOfA] },
      report: { containers: ['sidecar', 'a'], attempt: sent.attempt },
    };
    expect(afterSent(before, sent, 0, stepTimes)).toEqual(waits);
  });

  it('by an earlier sweep is waited for until it is due', () => {
    const move = recallStep(begun, { at: now - 1, due: now + 5_000 }, stepTimes);
    const cut = recallStep(begun, { at: now - 1, due: now + 5_000 }, { ...stepTimes, cut: () => 1_000 });
    expect(cut).toMatchObject({ run: { state: { ...shown, until: now + 1_000 } } });
    expect(move).toMatchObject({ kind: 'Waits', run: { state: shown, arrived: [{ sentAt: now - 1 }] } });
  });
});

describe('a request that does not arrive is sent again', () => {
  // biome-ignore format: one row a line
  it.each< readonly [string, readonly AttemptResult[], Driving & { readonly grace?: number }, readonly number[]] >([
    ['until it does', [Undelivered, Undelivered, Accepted], {}, [0, 500, 1_500]],
    ['at least five times, however short its time', [Undelivered], { grace: 0 }, [0, 500, 1_500, 3_500, 7_500]],
    ['after pauses that grow to ten seconds, while its time lasts', [Undelivered], { grace: 35_000, jitter: 1 }, steep],
    ['no longer than that', [Undelivered], { grace: 34_999, jitter: 1 }, steep.slice(0, -1)],
    ['nor longer than the sweep waits for the pod', [Undelivered], { grace: 90_000, jitter: 1, maxGrace: 24_999 }, steep.slice(0, 5)],
    ['after a pause of its own', [Undelivered, Accepted], { jitter: 0.5 }, [0, 750]],
    ['not before the server wants it', [{ ...Busy, retryAfterMs: 7_000 }, Accepted], {}, [0, 7_500]],
    ['but within half a minute', [{ ...Busy, retryAfterMs: 3_600_000 }, Accepted], {}, [0, 30_500]],
    ['if the server does not say when', [{ kind: 'Busy', message: 'slow down' }, Accepted], {}, [0, 500]],
    ['not if it was refused', [Refused], {}, [0]],
    ['not when the sweep stops', [Undelivered], { after: { 100: stops() } }, [0]],
    ['not when it stops before the pause is over', [Undelivered], { after: { 499: stops() } }, [0]],
    ['not once the container has ended', [Undelivered], { after: { 100: ends() } }, [0]],
  ])('%s', (_title, answers, { grace = 5_000, ...more }, expected) => {
    expect(times(driveOne(answers, more, ask('term', { grace })).log)).toEqual(expected);
  });

  // biome-ignore format: one row a line
  it.each<readonly [string, readonly AttemptResult[], Driving, readonly string[], StepEnd]>([
    ['as it went in the end', [Undelivered, Busy, Accepted], {}, ['Accepted'], 'Unseen'],
    ['if it never arrives', [Undelivered], {}, ['Undelivered'], 'NotSent'],
    ['if the container ends in between', [Undelivered], { after: { 100: ends() } }, ['Undelivered'], 'NotSent'],
    ['if the sweep stops in between', [Busy], { after: { 100: stops() } }, ['Busy'], 'NotSent'],
    ['if the pod cannot be read before it', [], { after: { 0: shows(unread) } }, ['Undelivered'], 'NotSent'],
  ])('and told of once, %s', (_title, answers, more, told, end) => {
    const { reported, ends: over } = driveOne(answers, more);
    expect(reported).toEqual(told.map((kind) => kind));
    expect(over).toEqual([end]);
  });

  it('until the pod can be read', () => {
    const after = { 0: shows(unread), 3000: shows(undefined), 4200: ends() };
    expect(driveOne([], { after }).log).toEqual('3500 term');
  });
});

// biome-ignore format: one row a line
it.each<readonly [string, readonly AttemptResult[], true | undefined]>([
  ['known if every try was refused it', [{ ...Undelivered, noUpgrade: true }], true],
  ['not if the first failed otherwise', [Undelivered, { ...Undelivered, noUpgrade: true }], undefined],
  ['not if one in between was told to come later', [{ ...Undelivered, noUpgrade: true }, Busy, { ...Undelivered, noUpgrade: true }], undefined],
  ['not if the last failed otherwise', [{ ...Undelivered, noUpgrade: true }, { ...Undelivered, noUpgrade: true }, Undelivered], undefined],
])('that no connection is upgraded is %s', (_title, answers, noUpgrade) => {
  const { attempts, sent } = driveOne(answers);
  expect(sent).toHaveLength(5);
  expect(attempts).toMatchObject([{ result: { kind: 'Undelivered' } }]);
  expect(attempts.map(({ result }) => Reflect.get(result, 'noUpgrade'))).toEqual([noUpgrade]);
});

describe('a step of which it is unknown whether it arrived', () => {
  const unopened = { ...Unconfirmed, unopened: true } as const;
  const ended = (at: number): Driving => ({ after: { [at]: ends() } });

  // biome-ignore format: one row a line
  it.each<readonly [string, PlannedStep, readonly AttemptResult[], Driving, readonly number[]]>([
    ['is sent once more if the container runs on', term, [Unconfirmed, Accepted], {}, [0, 25_000]],
    ['and not a third time', term, [Unconfirmed], {}, [0, 25_000]],
    ['is not if the container has ended', term, [Unconfirmed], ended(24_500), [0]],
    ['is not if an end cannot be told', term, [Unconfirmed], { after: { 500: changesContainer('sidecar', { state: waiting('CrashLoopBackOff') }) } }, [0]],
    ['is if the container cannot be read', term, [Unconfirmed], { after: { 500: shows(unread), 24800: shows(undefined) } }, [0, 25_000]],
    ['is up to four times if the connection never opened', term, [unopened], {}, [0, 25_000, 50_000, 75_000]],
    ['is, but that counts for the last try', term, [unopened, Unconfirmed], {}, [0, 25_000]],
    ['is not if it was answered that the container is not there', term, [NotThere], {}, [0]],
  ])('%s', (_title, step, answers, more, expected) => {
    expect(times(driveOne(answers, more, step).log)).toEqual(expected);
  });

  it.each([swap, evict, deletePod])('is up to four times if it is a write to the pod: $method', (step) => {
    const word = step.method.toLowerCase();
    const driven = drive({ targets: [asked([])], lastResort: [step], answers: { [word]: [Unconfirmed] } });
    expect(times(driven.log)).toEqual([0, 25_000, 50_000, 75_000]);
    expect(driven.reported).toEqual(Array(4).fill('Unconfirmed'));
    expect(driven.ends).toEqual(['Unseen']);
  });

  it('is not while a swap shows an image that has yet to start', () => {
    const after = { 500: swappedTo({ state: waiting('ErrImagePull') }) };
    const answers = { imageswap: [Unconfirmed] };
    expect(drive({ targets: [asked([])], lastResort: [swap], answers, after }).log).toBe('0 imageswap');
  });

  it('has as much time for tries as before', () => {
    const slow = ask('term', { grace: 35_000 });
    const { log } = driveOne([Unconfirmed, Undelivered], { jitter: 1 }, slow);
    expect(times(log)).toEqual([0, ...steep.map((time) => 55_000 + time)]);
  });

  it('is told of each time, and is one step for the gates', () => {
    const { reported, ends: over, run } = driveOne([Unconfirmed, Accepted], { after: { 27500: ends() } });
    expect(reported).toEqual(['Unconfirmed', 'Accepted']);
    expect(over).toEqual(['Clean']);
    expect(run.sidecars).toMatchObject([
      {
        attempts: [
          { sentAt: now, result: Unconfirmed },
          { sentAt: now + 25_000, result: Accepted },
        ],
      },
    ]);
  });

  it('has as many tries again, in its time', () => {
    const answers = [Unconfirmed, Undelivered];
    expect(times(driveOne(answers).log)).toEqual([0, 25_000, 25_500, 26_500, 28_500, 32_500]);
    const { reported, ends: over } = driveOne(answers);
    expect(reported).toEqual(['Unconfirmed', 'Undelivered']);
    expect(over).toEqual(['Unseen']);
  });

  it('is forgotten to have missed once it arrives', () => {
    const { reported, run } = driveOne([Undelivered, Unconfirmed], { after: { 30000: ends() } });
    expect(reported).toEqual(['Unconfirmed', 'Unconfirmed']);
    expect(run.sidecars).toMatchObject([{ attempts: [{ result: Unconfirmed }, { result: Unconfirmed }] }]);
  });

  // biome-ignore format: one row a line
  it.each<readonly [string, Sent]>([
    ['the container has ended', { kind: 'AlreadyEnded', reading: { kind: 'Gone' } }],
    ['the pod is no longer stuck', { kind: 'NotSent', outcome: { kind: 'Skipped', reason: { kind: 'NoWay' } } }],
    ['its node is lost', { kind: 'NotSent', outcome: { kind: 'NotAttempted', reason: 'NodeUnreachable' } }],
  ])('is one attempt if %s by the time that it is sent again', (_title, sent) => {
    const arrived = [attempt(Unconfirmed)];
    const move = afterSent({ ...begun, arrived }, sent, 0, stepTimes);
    const reading = sent.kind === 'AlreadyEnded' ? sent.reading : undefined;
    expect(move).toEqual({
      kind: 'Done',
      result: { kind: 'Attempted', attempts: arrived, watched, reading },
    });
  });

  it('is sent again only to the sidecars that are left, and stays an attempt for both', () => {
    const answers = { 'evict a+b': [Unconfirmed], 'evict b': [Accepted] };
    const targets = [asked([], 'a'), asked([], 'b')];
    const after = { 500: ends('a') };
    const driven = drive({ pod: podOfTwo(), targets, lastResort: [evict], answers, after });
    expect(driven.log).toEqual('0 evict a+b; 25000 evict b');
    expect(driven.reported).toEqual(['Unconfirmed a+b', 'Accepted a+b']);
    expect(driven.run.sidecars).toMatchObject([
      { observation: { kind: 'Exited' } },
      { observation: { kind: 'Running' } },
    ]);
  });
});

describe('a step is over', () => {
  const lasting = (result: AttemptResult, more: Driving) =>
    driveOne([result], { ...more, targets: [asked([term])] });

  it.each<readonly [string, AttemptResult, Driving, number, StepEnd]>([
    ['when its grace is, and its status cannot lag any more', Accepted, {}, 25_000, 'Unseen'],
    ['when its status cannot lag any more', NotThere, {}, 20_000, 'NotSent'],
    ['at once if it cannot have worked', Refused, {}, 0, 'NotSent'],
    ['when the sweep stops', Accepted, { after: { 1000: stops() } }, 1_000, 'Unseen'],
    ['when the pod is gone', Accepted, { after: { 1000: shows({ kind: 'Gone' }) } }, 1_000, 'Unseen'],
  ])('%s', (_title, result, more, elapsed, end) => {
    const driven = lasting(result, more);
    expect([driven.elapsed, driven.ends]).toEqual([elapsed, [end]]);
  });

  it('when all containers that it was for have ended', () => {
    const targets = [asked([], 'a'), asked([], 'b')];
    const after = { 500: ends('a'), 3500: ends('b', 143) };
    const driven = drive({ pod: podOfTwo(), targets, lastResort: [evict, deletePod], after });
    expect([driven.sent, driven.ends]).toEqual([['evict a+b'], ['Unclean']]);
  });
});

describe('how a step ended its sidecars, as gates learn:', () => {
  const exit = (exitCode: number): Change => ends('sidecar', exitCode);
  const restarted =
    (exitCode: number | undefined): Change =>
    (world, at) =>
      changesContainer('sidecar', { lastExitCode: exitCode })(restarts()(world, at), at);
  const noop =
    (exitCode: number): Change =>
    (world, at) =>
      swappedTo({ id: 'containerd://sidecar-1' })(exit(exitCode)(world, at), at);

  // biome-ignore format: one row a line
  it.each<readonly [StepEnd, string, PlannedStep, Change]>([
    ['Clean', 'an exit with 0', term, exit(0)],
    ['Unclean', 'an exit with another code', term, exit(143)],
    ['Killed', 'an exit by KILL', term, exit(137)],
    ['Unclean', 'a restart', term, restarted(143)],
    ['Killed', 'a restart after KILL', term, restarted(137)],
    ['Unclean', 'a restart after an unknown code', term, restarted(undefined)],
    ['Unseen', 'none in its time', term, changes({})],
    ['Unseen', 'one in a pod that is gone', term, shows({ kind: 'Gone' })],
    ['Unseen', 'one in a pod that is being deleted', term, (world, at) => changes({ deleting: true })(exit(143)(world, at), at)],
    ['Unseen', 'one in a pod that was disrupted', term, (world, at) => changes({ disrupted: true })(exit(143)(world, at), at)],
    ['Clean', 'the end of the no-op image with 0', swap, noop(0)],
    ['NotStarted', 'the end of the no-op image with another code', swap, noop(128)],
    ['NotStarted', 'a no-op image that cannot be pulled', swap, swappedTo({ state: waiting('ErrImagePull') })],
    ['Unseen', 'a no-op image that has not started yet', swap, swappedTo({ state: waiting('ContainerCreating') })],
    ['Pending', 'none in the time of a swap, of which the pod shows the image alone', swap, swappedTo({})],
    ['NotSent', 'an end of its own before a swap', swap, swappedTo({ state: exited(0, now) })],
    ['NotSent', 'an end of its own while the image was not there', swap, exit(143)],
    ['NotStarted', 'an end with another code, and the no-op image was not started', swap, swappedTo({ state: exited(143, now) })],
    ['Unseen', 'a restart by another cause than the swap', swap, restarted(143)],
  ])('%s after %s', (end, _title, step, change) => {
    const shared = { targets: [asked([])], lastResort: [step] };
    const driven = drive({
      ...(step === swap ? shared : { targets: [asked([step])] }),
      after: { 500: change },
    });
    expect(driven.ends).toEqual([end]);
  });

  it.each<readonly [StepEnd, readonly [number | undefined, number | undefined]]>([
    ['Unclean', [0, 1]],
    ['Unclean', [137, 1]],
    ['Killed', [0, 137]],
    ['Unseen', [0, undefined]],
    ['Unclean', [1, undefined]],
    ['Clean', [0, 0]],
  ])('%s if two sidecars end with %j', (expected, [a, b]) => {
    const targets = [asked([], 'a'), asked([], 'b')];
    const end = (name: string, code: number | undefined) =>
      code === undefined ? changes({}) : ends(name, code);
    const after = { 500: both(end('a', a), end('b', b)) };
    expect(drive({ pod: podOfTwo(), targets, lastResort: [evict], after }).ends).toEqual([expected]);
  });
});
