import { describe, expect, it } from 'vitest';
import { isCleared, isProtected, withClearance } from '../../../src/plan/clearance.ts';
import type { Candidate, Clearance, PodView, UncleanExit } from '../../../src/vocabulary.ts';
import { candidate, step, steps } from '../../builders/plan.ts';
import { container, exited, podView, running } from '../../builders/pod-view.ts';

/** A stuck pod whose mains ended with these codes. */
function stuck(exitCodes: readonly number[], more: Partial<PodView> = {}): Candidate {
  const mains = exitCodes.map((code, index) => container(`main-${index}`, exited(code)));
  return candidate(podView({ containers: [...mains, container('sidecar', running)], ...more }));
}

describe('a pod is protected', () => {
  it.each<readonly [title: string, candidate: Candidate, expected: boolean]>([
    ['if its only main exited 0 and a Job owns it', stuck([0]), true],
    ['if all of its mains exited 0', stuck([0, 0]), true],
    ['but not if one of them failed: the Job is right to retry', stuck([0, 7]), false],
    ['but not if its main failed', stuck([137]), false],
    ['but not if nothing owns it', stuck([0], { owner: undefined }), false],
    [
      'but not if an Argo workflow owns it, because Argo ignores 137 and 143',
      stuck([0], { owner: { kind: 'Workflow', name: 'w', uid: 'w' } }),
      false,
    ],
    [
      'under OnFailure as well, because a restart counts against the Job’s backoff limit',
      stuck([0], { restartPolicy: 'OnFailure' }),
      true,
    ],
  ])('%s', (_title, pod, expected) => {
    expect(isProtected(pod)).toBe(expected);
  });
});

describe('the clearance of a step', () => {
  it.each<readonly [isProtected: boolean, UncleanExit, exitCode: number | undefined, Clearance]>([
    [false, 'canary', undefined, 'Free'],
    [false, 'canary', 137, 'Free'],
    [false, 'forbid', undefined, 'Free'],
    [true, 'canary', 0, 'Free'],
    [true, 'forbid', 0, 'Free'],
    [true, 'allow', undefined, 'Free'],
    [true, 'allow', 137, 'Free'],
    [true, 'canary', undefined, 'Canary'],
    [true, 'canary', 143, 'KnownUnclean'],
    [true, 'forbid', 143, 'KnownUnclean'],
    [true, 'forbid', undefined, 'Forbidden'],
  ])('in a pod that is protected: %s, with --unclean-exit=%s and the exit code %s, is %s', (...row) => {
    const [isProtected, mode, exitCode, expected] = row;
    const { clearance: _before, ...plain } = step(15, { exitCode });
    expect(withClearance(plain, isProtected, mode)).toEqual({ ...plain, clearance: expected });
  });

  it.each<readonly [Clearance, boolean]>([
    ['Free', true],
    ['Canary', true],
    ['KnownUnclean', false],
    ['Forbidden', false],
  ])('%s: is the step expected to be sent? %s', (clearance, expected) => {
    expect(isCleared({ ...steps.Signal, clearance })).toBe(expected);
  });
});
