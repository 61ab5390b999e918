import { describe, expect, it } from 'vitest';
import { concludePod, concludeTarget } from '../../../src/apply/conclusion.ts';
import type { JobReaction } from '../../../src/model/job.ts';
import type {
  AttemptResult,
  ContainerOutcome,
  PodOutcome,
  StillRunningBecause,
} from '../../../src/model/outcome.ts';
import type { Observation, PodReading } from '../../../src/model/reading.ts';
import type { Attempt } from '../../../src/plan/sweep-event.ts';
import type { PlannedTarget } from '../../../src/plan/sweep-plan.ts';
import { attempt, attemptResults, plannedTarget, steps } from '../../builders/plan.ts';
import { now, podView } from '../../builders/pod-view.ts';

const noJob: JobReaction = { kind: 'NoJob' };
const planned = plannedTarget();

describe('what a read shows decides, whatever was sent', () => {
  const sent: readonly (readonly [string, readonly Attempt[]])[] = [
    ['nothing was sent', []],
    ['a step was accepted', [attempt()]],
    ['the last step was refused', [attempt(), attempt(attemptResults.Refused)]],
  ];
  // biome-ignore format: one row a line
  const shown: readonly (readonly [Observation, ContainerOutcome])[] = [
    [{ kind: 'Restarted', exitCode: 143, restartCount: 1 }, { kind: 'Restarted', exitCode: 143, restartCount: 1 }],
    [{ kind: 'Restarted', exitCode: undefined, restartCount: 1 }, { kind: 'Restarted', restartCount: 1 }],
    [{ kind: 'Gone' }, { kind: 'Gone' }],
    [{ kind: 'Replaced', uid: 'uid-2' }, { kind: 'Replaced', uid: 'uid-2' }],
    [{ kind: 'NotStarted', reason: 'ErrImagePull' }, { kind: 'NotStarted', reason: 'ErrImagePull' }],
    [{ kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer within 30s' } }, { kind: 'Unproven', problem: 'no answer within 30s' }],
  ];
  // biome-ignore format: one row a line
  const ended: readonly (readonly [Observation, ContainerOutcome])[] = [
    [{ kind: 'Exited', exitCode: 0, signal: undefined, finishedAt: now }, { kind: 'Stopped', exitCode: 0 }],
    [{ kind: 'Exited', exitCode: 137, signal: 9, finishedAt: undefined }, { kind: 'Stopped', exitCode: 137, signal: 9 }],
  ];
  it.each(ended)('$kind is an end by the sweep if a step may have worked', (observation, outcome) => {
    expect(concludeTarget(planned, [attempt()], observation, true)).toStrictEqual(outcome);
  });

  it.each(
    shown.flatMap(([observation, outcome]) =>
      sent.map(([title, attempts]) => ({ title, attempts, observation, outcome })),
    ),
  )('$observation.kind after $title is $outcome.kind', ({ attempts, observation, outcome }) => {
    expect(concludeTarget(planned, attempts, observation, true)).toStrictEqual(outcome);
  });
});

describe('a container that is still running', () => {
  /** Two requests for one step. */
  function sentTwice(first: AttemptResult, second: AttemptResult): readonly Attempt[] {
    const { step, ...rest } = attempt();
    return [first, second].map((result) => ({ ...rest, step, result }));
  }

  const swap: Attempt = { ...attempt(), step: steps.ImageSwap };
  const killed = (result: AttemptResult): Attempt => ({
    ...attempt(result),
    step: { ...steps.Signal, signals: ['KILL'] },
  });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, attempts: readonly Attempt[], because: StillRunningBecause]>([
    ['outlived it when nothing was sent', [], { kind: 'Outlived' }],
    ['was not reached when a disruption budget refused its last resort, whatever it outlived before', [attempt(), { ...attempt(attemptResults.Busy), step: { ...steps.Evict, source: { kind: 'LastResort' } } }], { kind: 'Undelivered', message: attemptResults.Busy.message }],
    ['is about to be replaced by its swap, whatever was sent before', [attempt(), attempt(attemptResults.Refused), swap], { kind: 'SwapUnderWay' }],
    ['outlived it when a command failed', [attempt(attemptResults.Failed)], { kind: 'Outlived' }],
    ['outlived it when all was accepted', [attempt(), attempt()], { kind: 'Outlived' }],
    ['was refused when the last step was', [attempt(attemptResults.Refused)], { kind: 'Refused', message: attemptResults.Refused.message }],
    ['was not reached when nothing was delivered', [attempt(attemptResults.Undelivered)], { kind: 'Undelivered', message: 'connection refused' }],
    ['cannot be asked like that when no connection is upgraded', [attempt({ ...attemptResults.Undelivered, noUpgrade: true })], { kind: 'Unsupported', message: 'connection refused' }],
    ['outlived it when one step may have worked, whatever became of the last', [attempt(), attempt(attemptResults.Undelivered)], { kind: 'Outlived' }],
    ['offers no way to end it', [attempt(attemptResults.Unsupported)], { kind: 'Unsupported', message: 'HTTP 404' }],
    ['is immune when no signal can work', [attempt(attemptResults.Unsupported), attempt(attemptResults.Immune)], { kind: 'Immune', message: attemptResults.Immune.message }],
    ['is blocked to protect finished work', [attempt(attemptResults.Blocked)], { kind: 'Blocked', reason: 'UnknownEnd' }],
    [
      'is blocked, whatever the steps before and after it came to: that an operator can decide',
      [attempt(attemptResults.Unsupported), attempt(attemptResults.Blocked), attempt(attemptResults.Immune)],
      { kind: 'Blocked', reason: 'UnknownEnd' },
    ],
    ['was not reached when the server was busy to the end', [attempt(attemptResults.Busy)], { kind: 'Undelivered', message: attemptResults.Busy.message }],
    ['lacks the shell', [attempt(attemptResults.NoSuchProgram)], { kind: 'NoSuchProgram', program: '/bin/sh' }],
    ['lacks the shell, as the second request for a step has shown', sentTwice({ kind: 'Unconfirmed', message: 'reset' }, attemptResults.NoSuchProgram), { kind: 'NoSuchProgram', program: '/bin/sh' }],
    ['outlived it when the shell was found at first', sentTwice(attemptResults.Accepted, attemptResults.NoSuchProgram), { kind: 'Outlived' }],
    ['lacks the shell, but may have outlived another step before', [attempt({ kind: 'Unconfirmed', message: 'reset' }), attempt(attemptResults.NoSuchProgram)], { kind: 'Outlived' }],
    ['lacks another program', [attempt({ kind: 'NoSuchProgram', program: 'pilot-agent', message: 'no such file or directory' })], { kind: 'NoSuchProgram', program: 'pilot-agent' }],
    ['was refused, whatever became of KILL after that: it says the least', [attempt(attemptResults.Refused), killed(attemptResults.Immune)], { kind: 'Refused', message: attemptResults.Refused.message }],
    ['was refused, even if KILL was blocked after that', [attempt(attemptResults.Refused), killed(attemptResults.Blocked)], { kind: 'Refused', message: attemptResults.Refused.message }],
    ['was refused a step that costs nothing, even if the steps after it were blocked', [attempt(attemptResults.Refused), attempt(attemptResults.Blocked)], { kind: 'Refused', message: attemptResults.Refused.message }],
    ['was not found running, whatever became of KILL after that', [attempt(attemptResults.NotThere), killed(attemptResults.Immune)], { kind: 'Undelivered', message: attemptResults.NotThere.message }],
    ['is immune to KILL when nothing else was tried', [killed(attemptResults.Immune)], { kind: 'Immune', message: attemptResults.Immune.message }],
    ['outlived it when KILL may have worked', [attempt(attemptResults.Refused), killed(attemptResults.Accepted)], { kind: 'Outlived' }],
  ])('%s', (_title, attempts, because) => {
    const outcome: ContainerOutcome = { kind: 'StillRunning', because };
    expect(concludeTarget(planned, attempts, { kind: 'Running' }, true)).toStrictEqual(outcome);
  });

  it.each<readonly [string, StillRunningBecause['kind'], Partial<PlannedTarget>, readonly Attempt[]]>([
    ['only a last resort can end it', 'LastResortDue', { steps: [], uncertain: [] }, []],
    ['it is a mesh proxy that was not asked', 'CarriesOthers', { turn: 2 }, []],
    ['it is a mesh proxy that was asked', 'Outlived', { turn: 2 }, [attempt()]],
  ])('for the reason that %s: %s', (_title, kind, target, attempts) => {
    const outcome = concludeTarget(plannedTarget(target), attempts, { kind: 'Running' }, true);
    expect(outcome).toStrictEqual({ kind: 'StillRunning', because: { kind } });
  });
});

it.each([attemptResults.Unconfirmed, attemptResults.NotThere])(
  'a container that its status shows as running is unproven when the last answer was $kind',
  (result) => {
    const attempts = [attempt(), attempt(result)];
    expect(concludeTarget(planned, attempts, { kind: 'Running' }, true)).toEqual({
      kind: 'Unproven',
      problem: `its status shows it running, but it may have ended already: ${result.message}`,
    });
  },
);

it('a container that was told to end is unproven while its status may lag', () => {
  expect(concludeTarget(planned, [attempt()], { kind: 'Running' }, false)).toEqual({
    kind: 'Unproven',
    problem:
      'its status shows it running, but it may have ended already, or may still end by what was sent to it',
  });
});

describe('a pod', () => {
  const stopped: ContainerOutcome = { kind: 'Stopped', exitCode: 0 };
  const alreadyEnded: ContainerOutcome = { kind: 'AlreadyEnded', exitCode: 0 };
  const skipped = { kind: 'Skipped', reason: { kind: 'NoWay' } } as const;
  const stillRunning = (because: StillRunningBecause): ContainerOutcome => ({
    kind: 'StillRunning',
    because,
  });
  const outlived = stillRunning({ kind: 'Outlived' });
  const because = { kind: 'Blocked', reason: 'UnknownEnd' } as const;
  const blocked = stillRunning(because);
  const unproven = { kind: 'Unproven', problem: 'it may have ended' } as const;
  const notAttempted = { kind: 'NotAttempted', reason: 'Deadline' } as const;
  const reading = (phase: string): PodReading => ({ kind: 'Present', pod: podView({ phase }), asOf: now });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, reading: PodReading, outcome: PodOutcome]>([
    ['that does not exist any more', { kind: 'Gone' }, { kind: 'Gone', job: noJob }],
    ['whose name another one has', { kind: 'Replaced', uid: 'u2' }, { kind: 'Replaced', uid: 'u2' }],
    ['that cannot be read', { kind: 'Unreadable', problem: { kind: 'Unreachable', message: 'connection refused' } }, { kind: 'Unproven', problem: 'connection refused' }],
  ])('%s', (_title, gone, outcome) => {
    expect(concludePod(gone, [stopped], noJob)).toEqual(outcome);
  });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, outcomes: readonly ContainerOutcome[], kind: PodOutcome['kind']]>([
    ['whose sidecar runs on is stuck', [outlived], 'Stuck'],
    ['whose sidecar may have ended is unproven', [unproven], 'Unproven'],
    ['with one sidecar stopped and one that may have is unproven', [stopped, unproven], 'Unproven'],
    ['with one sidecar running and one that may have ended is stuck', [outlived, unproven], 'Stuck'],
    ['whose sidecar was restarted is stuck', [{ kind: 'Restarted', restartCount: 1 }], 'Stuck'],
    ['with one sidecar stopped and one running is stuck', [stopped, outlived], 'Stuck'],
    ['whose sidecars have all ended is about to end', [stopped, alreadyEnded], 'Unsettled'],
    ['whose sidecars were all skipped was skipped', [skipped, skipped], 'Skipped'],
    ['with one sidecar skipped and one still running is stuck', [skipped, outlived], 'Stuck'],
    ['with a skipped sidecar beside one that had ended was skipped', [alreadyEnded, skipped], 'Skipped'],
    ['that was not reached was not attempted', [notAttempted, notAttempted], 'NotAttempted'],
    ['whose sidecars are all blocked is', [blocked, blocked], 'Blocked'],
    ['with a blocked sidecar beside one that had ended is', [alreadyEnded, blocked], 'Blocked'],
    ['with one sidecar blocked and one still running is stuck', [blocked, outlived], 'Stuck'],
    ['with one sidecar stopped and one blocked is stuck', [stopped, blocked], 'Stuck'],
    ['whose sidecar waits for a no-op image is stuck', [{ kind: 'NotStarted', reason: 'ErrImagePull' }], 'Stuck'],
    ['whose sidecar is immune is stuck', [stillRunning({ kind: 'Immune', message: 'no handler' })], 'Stuck'],
    ['with one sidecar not attempted and one skipped is stuck', [skipped, notAttempted], 'Stuck'],
    ['with one sidecar stopped and one skipped is stuck', [stopped, skipped], 'Stuck'],
    ['with one sidecar skipped and one stopped is stuck', [skipped, stopped], 'Stuck'],
    ['with one sidecar stopped and one not attempted is stuck', [stopped, notAttempted], 'Stuck'],
    ['with one sidecar not attempted and one stopped is stuck', [notAttempted, stopped], 'Stuck'],
    ['that was not reached, with a sidecar that had ended, was not attempted', [alreadyEnded, notAttempted], 'NotAttempted'],
  ])('%s', (_title, outcomes, kind) => {
    expect(concludePod(reading('Running'), outcomes, noJob).kind).toBe(kind);
  });

  it('that is blocked says so also if a proxy was left for its sake', () => {
    const proxy = stillRunning({ kind: 'CarriesOthers' });
    expect(concludePod(reading('Running'), [proxy, blocked], noJob)).toEqual(because);
  });
});

it.each([0, 3])(
  'a sidecar that ended with %i at a swap whose image does not start was ended by the swap',
  (exitCode) => {
    const swapped = [{ ...attempt(), step: steps.ImageSwap }];
    const stopped = { kind: 'Stopped', exitCode };
    const waits: Observation = { kind: 'NotStarted', reason: 'ContainerCreating', ended: exitCode };
    expect(concludeTarget(planned, swapped, waits, true)).toEqual(stopped);
    // Seen on a real 1.36 kubelet: under Never, or after 0, the status then shows the old end.
    expect(
      concludeTarget(
        planned,
        swapped,
        { kind: 'Exited', exitCode, signal: undefined, finishedAt: now },
        true,
      ),
    ).toEqual(stopped);
  },
);
