import { expect, it } from 'vitest';
import type { Permit } from '../../../../src/apply/guard/guard.ts';
import { spendOf } from '../../../../src/apply/guard/spend.ts';
import type { PodView } from '../../../../src/model/pod.ts';
import type { UncleanCost } from '../../../../src/model/step.ts';
import type { PlannedStep } from '../../../../src/plan/sweep-plan.ts';
import { candidate, podPlan, step, steps } from '../../../builders/plan.ts';
import { container, exited, now, podView, running } from '../../../builders/pod-view.ts';

const go: Permit = { kind: 'Go' };
const first: Permit = { kind: 'First', tell: () => undefined };
const unclear = step();
const clean = step(15, { exitCode: 0 });
const swap: PlannedStep = { ...steps.ImageSwap, exitCode: 0 };
const foreign: PlannedStep = { ...steps.ImageSwap, exitCode: undefined };

it('what is said to end with 0, and was restarted in this very pod, may be restarted again', () => {
  const restarted = {
    ...container('sidecar', running),
    restartCount: 1,
    lastExitCode: 143,
    lastFinishedAt: now,
  };
  const containers = [container('main', exited()), restarted];
  const plan = podPlan({
    candidate: candidate(podView({ restartPolicy: 'OnFailure', containers })),
    uncleanCost: { kind: 'Restart' },
  });
  expect(spendOf(plan, clean, 1, go)).toBe(1);
});

it.each<readonly [string, PodView['restartPolicy'], PlannedStep, Permit, number]>([
  ['Never, a canary: a failed pod', 'Never', unclear, first, 1],
  ['Never, after a canary', 'Never', unclear, go, 0],
  ['Never, known to end with 0', 'Never', clean, go, 0],
  ['Never, a swap for an image that has the program', 'Never', swap, first, 0],
  ['Never, the first swap for an image of which nothing is known', 'Never', foreign, first, 1],
  ['OnFailure, a canary: a restart of each sidecar', 'OnFailure', unclear, first, 2],
  ['OnFailure, after a canary', 'OnFailure', unclear, go, 0],
  ['OnFailure, known to end with 0', 'OnFailure', clean, go, 0],
  ['OnFailure, a swap is a restart of each sidecar, however clean', 'OnFailure', swap, go, 2],
])('%s', (_title, restartPolicy, sent, permit, retries) => {
  const ofPod = (uncleanCost: UncleanCost) =>
    podPlan({ candidate: candidate(podView({ restartPolicy })), uncleanCost });
  expect(spendOf(ofPod({ kind: 'AnotherRun' }), sent, 2, permit)).toBe(retries);
  expect(spendOf(ofPod({ kind: 'Nothing' }), sent, 2, permit)).toBe(0);
});
