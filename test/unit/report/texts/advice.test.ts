import { describe, expect, it } from 'vitest';
import { blockedReason } from '../../../../src/model/outcome.ts';
import type { Unfit } from '../../../../src/model/step.ts';
import { adviceOn, type Tried } from '../../../../src/report/texts/advice.ts';
import { containerOutcomes, skipReasons, stillRunningBecause } from '../../../builders/kinds.ts';

const untried: Tried = { container: 'log', attempts: [], unfit: [], isAtStake: true };
const swapped: Tried = { ...untried, attempts: [{ method: 'Signal' }, { method: 'ImageSwap' }] };
const noPath: Unfit = { method: 'ImageSwap', reason: 'NoPath', detail: '/argo is a volume' };
const unfit: Tried = { ...untried, unfit: [{ ...noPath, method: 'Http' }, noPath] };

describe('advice on a sidecar that exited with 0', () => {
  const stopped = { kind: 'Stopped', exitCode: 0 } as const;
  const unknown: Tried = { ...untried, attempts: [{ method: 'Signal', expectedExitCode: undefined }] };

  it('is the annotation that says so, if nothing said it before', () => {
    expect(adviceOn(stopped, unknown)).toBe(
      'it exited with 0; if it always does, annotate its pod template: sidecar-sweeper.dev/exits-with-zero: log',
    );
  });

  it.each<readonly [title: string, exitCode: number, Tried]>([
    ['if that was known', 0, { ...untried, attempts: [{ method: 'Signal', expectedExitCode: 0 }] }],
    ['if its end costs nothing', 0, { ...unknown, isAtStake: false }],
    ['if it exited with another code', 143, unknown],
  ])('is not given %s', (_title, exitCode, tried) => {
    expect(adviceOn({ kind: 'Stopped', exitCode }, tried)).toBeUndefined();
  });
});

it('an image swap that may not start says what to list, as something to do', () => {
  const toDo = 'list the programs that exit with 0 in the policy, imageSwap.commands: ["sh"]';
  const blocked = { kind: 'StillRunning', because: { kind: 'Blocked', reason: 'NoopUnknown' } } as const;
  const advised = (whyUnknown: string) =>
    adviceOn(blocked, { ...untried, attempts: [{ method: 'ImageSwap', whyUnknown }] });
  expect(advised(`it is not known which programs noop:1 has: ${toDo}`)).toBe(toDo);
  expect(advised('sh is looked up in PATH, which env sets')).toMatch(/^list the programs /);
});

it('a step that the sidecar has no handler for is not asked for again', () => {
  const blocked = { kind: 'StillRunning', because: { kind: 'Blocked', reason: 'UnknownEnd' } } as const;
  const result = { kind: 'Immune', message: 'PID 1 has no handler for QUIT' } as const;
  const attempts = [{ method: 'Signal', does: 'signal QUIT', result }] as const;
  expect(adviceOn(blocked, { ...untried, attempts })).toBe(
    'name another step than signal QUIT (PID 1 has no handler for QUIT) that is known to end it with 0, or allow image swaps: --noop-image',
  );
});

describe('advice', () => {
  it('is given for each sidecar that the sweep did not end, and for no other', () => {
    const outcomes = Object.values(containerOutcomes).filter(({ kind }) => kind !== 'Skipped');
    const advised = outcomes.filter((outcome) => adviceOn(outcome, untried));
    expect(advised.map(({ kind }) => kind).sort()).toEqual([
      'NotStarted',
      'Restarted',
      'StillRunning',
      'Unproven',
    ]);
  });

  it('says what to do about every reason for which a sidecar is still running', () => {
    const running = Object.values(stillRunningBecause).map(
      (because) => ({ kind: 'StillRunning', because }) as const,
    );
    for (const outcome of running) expect(adviceOn(outcome, untried)).toMatch(/^[a-z].+[^.]$/);
  });

  it('is given for each sidecar that was skipped, unless there is nothing to do', () => {
    const without = Object.values(skipReasons).filter(
      (reason) => adviceOn({ kind: 'Skipped', reason }, untried) === undefined,
    );
    expect(without.map(({ kind }) => kind).sort()).toEqual(['NoLongerCandidate', 'NotRunning']);
  });

  it.each(blockedReason.options)('says what to do about a sidecar that is blocked: %s', (reason) => {
    const outcome = { kind: 'StillRunning', because: { kind: 'Blocked', reason } } as const;
    const isAboutSwaps = ![
      'AlreadyUnclean',
      'NoopDoesNotStart',
      'NoopUnknown',
      'NoRoomInJob',
      'NoRoomInJob',
    ].includes(reason);
    expect(adviceOn(outcome, untried)?.includes('--noop-image')).toBe(isAboutSwaps);
  });

  const outlived = { kind: 'StillRunning', because: { kind: 'Outlived' } } as const;
  it('is an image swap, unless it was tried or cannot work', () => {
    expect(adviceOn(outlived, untried)).toBe('allow image swaps: --noop-image');
    expect(adviceOn(outlived, swapped)).toMatch(/^see why its image swap did not end it/);
    expect(adviceOn(outlived, unfit)).toBe(
      'make an image swap possible (/argo is a volume), or end the pod with --last-resort',
    );
  });

  it('has the gentler way first', () => {
    const refused = { kind: 'StillRunning', because: stillRunningBecause.Refused } as const;
    expect(adviceOn(refused, untried)).toBe(
      'grant the permission, which `check-access` prints, or allow image swaps: --noop-image',
    );
  });
});
