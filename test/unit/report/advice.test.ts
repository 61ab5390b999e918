import { describe, expect, it } from 'vitest';
import {
  blockedReason,
  type ContainerOutcome,
  type StillRunningBecause,
} from '../../../src/model/outcome.ts';
import type { Unfit } from '../../../src/model/step.ts';
import { adviceOn, adviseCommand, type Tried } from '../../../src/report/texts/advice.ts';
import { containerOutcomes, skipReasons, stillRunningBecause } from '../../builders/kinds.ts';
import { attemptBy } from '../../builders/sweeps.ts';

const untried: Tried = { container: 'log', attempts: [], unfit: [], isAtStake: true };
const unknown: Tried = { ...untried, attempts: [attemptBy('Signal')] };
const swapped: Tried = { ...untried, attempts: ['Signal', 'ImageSwap'].map((method) => attemptBy(method)) };
const noPath: Unfit = { method: 'ImageSwap', reason: 'NoPath', detail: '/argo is a volume' };
const unfit: Tried = { ...untried, unfit: [{ ...noPath, method: 'Http' }, noPath] };
const noHandler = { kind: 'Immune', message: 'PID 1 has no handler for QUIT' } as const;
const immune = { ...attemptBy('Signal', noHandler), does: 'signal QUIT' };
const toList = 'list the programs that exit with 0 under imageSwap.commands of the policy: ["sh"]';
const swapOf = (whyUnknown: string): Tried => {
  return { ...untried, attempts: [{ ...attemptBy('ImageSwap'), whyUnknown }] };
};

const still = (because: StillRunningBecause): ContainerOutcome => ({ kind: 'StillRunning', because });
const stopped: ContainerOutcome = { kind: 'Stopped', exitCode: 0 };
const noopUnknown = still({ kind: 'Blocked', reason: 'NoopUnknown' });
const outlived = still({ kind: 'Outlived' });
const unknownEnd = still({ kind: 'Blocked', reason: 'UnknownEnd' });
const swapIt = 'allow image swaps: --noop-image';
const toAnnotate = 'annotate its pod template: sidecar-sweeper.dev/exits-with-zero: log';
const toGrant =
  'grant the permission, which `check-access` prints, or change the admission policy that denies it';
const thanQuit = 'than signal QUIT (PID 1 has no handler for QUIT) that is known to end it with 0';

// biome-ignore format: one row a line
it.each<readonly [what: string, ContainerOutcome, Tried, advice: string | undefined]>([
  ['exited with 0, which nothing said before', stopped, unknown, `it exited with 0; if it always does, ${toAnnotate}`],
  ['exited with 0, as known', stopped, { ...untried, attempts: [{ ...attemptBy('Signal'), expectedExitCode: 0 }] }, undefined],
  ['exited with 0, which costs nothing otherwise', stopped, { ...unknown, isAtStake: false }, undefined],
  ['exited with another code', { kind: 'Stopped', exitCode: 143 }, unknown, undefined],
  ['is blocked, as its image may lack programs', noopUnknown, swapOf(`it is not known which programs noop:1 has: ${toList}`), toList],
  ['is blocked, as PATH is unknown', noopUnknown, swapOf('sh is looked up in PATH, which env sets: sweep it by name'), 'sweep it by name'],
  ['has no handler for a step, which is not asked for again', unknownEnd, { ...untried, attempts: [immune] }, `name a step other ${thanQuit}, or ${swapIt}`],
  ['is always restarted, and may not be ended with its pod', still({ kind: 'Blocked', reason: 'KnownUnclean' }), { ...untried, unfit: [{ method: 'Signal', reason: 'RestartsAlways', detail: '' }] }, 'if the work may run again, or fail, use --unclean-exit=allow; otherwise end its Job by hand'],
  ['outlived its steps', outlived, untried, swapIt],
  ['outlived a swap', outlived, swapped, 'see why its image swap did not end it: the events of its pod and its node'],
  ['is blocked, and cannot be swapped', still({ kind: 'Blocked', reason: 'EndedUncleanBefore' }), unfit, 'make an image swap possible (/argo is a volume), or if the work may run again, or fail, use --unclean-exit=allow'],
  ['cannot be swapped', outlived, unfit, 'make an image swap possible (/argo is a volume), or end the pod with --last-resort'],
  ['has no shell, and no request may be sent to it', still(stillRunningBecause.NoSuchProgram), { ...untried, unfit: [{ method: 'Http', reason: 'SeesTheNode', detail: 'hostNetwork' }] }, swapIt],
  ['was refused: the gentler way comes first', still(stillRunningBecause.Refused), untried, `${toGrant}, or ${swapIt}`],
])('advice on a sidecar that %s', (_what, outcome, tried, advice) => {
  expect(adviceOn(outcome, tried)).toBe(advice);
});

describe('advice', () => {
  it('is given for each sidecar that the sweep did not end, and for no other', () => {
    const outcomes = Object.values(containerOutcomes).filter(({ kind }) => kind !== 'Skipped');
    const advised = outcomes.filter((outcome) => adviceOn(outcome, untried)).map(({ kind }) => kind);
    expect(advised.sort()).toEqual(['NotStarted', 'Restarted', 'StillRunning', 'Unproven']);
  });

  it('says what to do about every reason for which a sidecar is still running', () => {
    for (const because of Object.values(stillRunningBecause))
      expect(adviceOn(still(because), untried)).toMatch(/^[a-z].+[^.]$/);
  });

  it('is given for each sidecar that was skipped, unless there is nothing to do', () => {
    const without = Object.values(skipReasons).filter(
      (reason) => adviceOn({ kind: 'Skipped', reason }, untried) === undefined,
    );
    expect(without.map(({ kind }) => kind).sort()).toEqual(['NoLongerCandidate', 'NotRunning']);
  });

  const otherwise = ['AlreadyUnclean', 'NoopDoesNotStart', 'NoopUnknown', 'NoRoomInJob'];
  it.each(blockedReason.options)('says what to do about a sidecar that is blocked: %s', (reason) => {
    const advice = adviceOn(still({ kind: 'Blocked', reason }), untried);
    expect(advice?.includes('--noop-image')).toBe(!otherwise.includes(reason));
  });
});

it.each<readonly [title: string, namespaces: readonly (string | undefined)[], where: string]>([
  ['its namespace', ['etl', 'etl'], '-n etl'],
  ['a few namespaces', ['etl', 'web'], '-n etl -n web'],
  ['all namespaces if it is in many', ['a', 'b', 'c', 'd'], '-A'],
  ['all namespaces if not all of them are known', [undefined], '-A'],
])('the cure of a sidecar is asked for %s', (_title, namespaces, where) => {
  expect(adviseCommand(namespaces)).toBe(`sidecar-sweeper advise ${where}`);
});
