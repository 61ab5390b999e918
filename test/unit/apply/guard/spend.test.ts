import { expect, it } from 'vitest';
import { spendOf } from '../../../../src/apply/guard/spend.ts';
import type { PodView } from '../../../../src/model/pod.ts';
import type { UncleanCost } from '../../../../src/model/step.ts';
import type { PlannedStep } from '../../../../src/plan/sweep-plan.ts';
import { candidate, podPlan, step, steps } from '../../../builders/plan.ts';
import { container, exited, now, podView, running } from '../../../builders/pod-view.ts';

const clean = step(15, { exitCode: 0 });
const swap: PlannedStep = { ...steps.ImageSwap, exitCode: 0 };

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
  expect(spendOf(plan, clean, 1)).toBe(1);
});

it.each<readonly [string, PodView['restartPolicy'], PlannedStep, number]>([
  ['Never, known to end with 0', 'Never', clean, 0],
  ['Never, a swap', 'Never', swap, 0],
  ['OnFailure, known to end with 0', 'OnFailure', clean, 0],
  ['OnFailure, a swap is a restart of each sidecar, however clean', 'OnFailure', swap, 2],
])('%s', (_title, restartPolicy, sent, retries) => {
  const ofPod = (uncleanCost: UncleanCost) =>
    podPlan({ candidate: candidate(podView({ restartPolicy })), uncleanCost });
  expect(spendOf(ofPod({ kind: 'AnotherRun' }), sent, 2)).toBe(retries);
  expect(spendOf(ofPod({ kind: 'Nothing' }), sent, 2)).toBe(0);
});
