import { expect, it } from 'vitest';
import { requestForEnd, requestForPod, requestForStep } from '../../../../src/apply/gates/request.ts';
import type { PlannedStep, PodPlan } from '../../../../src/plan/sweep-plan.ts';
import { attempt, candidate, podPlan, step, steps } from '../../../builders/plan.ts';
import { podView } from '../../../builders/pod-view.ts';

const forbid = { uncleanExit: 'forbid', keepLogs: 0 } as const;
const allow = { uncleanExit: 'allow', keepLogs: 0 } as const;
const swap = steps.ImageSwap;
const onFailure = podPlan({ candidate: candidate(podView({ restartPolicy: 'OnFailure' })) });

function sendOf(one: PlannedStep, isAgain = false) {
  const watched = ['a', 'b'].map((container) => ({ container, containerId: container }));
  return { id: 3, step: one, watched, isAgain };
}

it.each<readonly [string, number, PlannedStep, Partial<PodPlan>, boolean]>([
  ['one for each sidecar that is swapped under OnFailure', 2, swap, {}, false],
  ['none by another step', 0, steps.Signal, {}, false],
  ['none where it costs nothing', 0, swap, { uncleanCost: { kind: 'Nothing' } }, false],
  ['none under Never', 0, swap, { candidate: candidate(podView({ restartPolicy: 'Never' })) }, false],
  ['none if it is sent again', 0, swap, {}, true],
])('restarts that a step adds: %s', (_title, restarts, one, more, isAgain) => {
  const request = requestForStep({ ...onFailure, ...more }, sendOf(one, isAgain), forbid);
  expect(request).toMatchObject({ id: `${request.pod.ref.uid}/3`, restarts });
});

it('exec, port-forward and logs go through the node, the API server does the rest itself', () => {
  const plan = podPlan();
  const { node } = plan.candidate.pod;
  const isThrough = (one: PlannedStep, keepLogs = 0) =>
    requestForStep(plan, sendOf(one), { ...forbid, keepLogs }).node === node;
  const through = Object.values(steps).filter((one) => isThrough(one));
  expect(through.map(({ method }) => method).sort()).toEqual(['Command', 'Http', 'Signal']);
  expect([isThrough(swap, 10), isThrough(steps.Delete, 10)]).toEqual([true, false]);
});

it('a Job may fail if the operator allows unclean exits, unless the step may raise its limit', () => {
  const raises = { ...swap, raisesLimit: true } as const;
  const mayFail = [forbid, allow].map((policy) => requestForStep(onFailure, sendOf(swap), policy).mayFailJob);
  expect(mayFail).toEqual([false, true]);
  expect(requestForStep(onFailure, sendOf(raises), allow).mayFailJob).toBe(false);
  expect([forbid, allow].map((policy) => requestForPod(onFailure, policy).mayFailJob)).toEqual([false, true]);
});

it('a request is about the Job of its pod, if it has one', () => {
  expect(requestForPod(podPlan(), forbid).job).toMatch(/^demo\b.*work/);
  const alone = podPlan({ candidate: candidate(podView({ owner: undefined })) });
  expect(requestForPod(alone, forbid)).toMatchObject({ job: undefined, promises: [] });
});

it('an end rests on the promises of the steps that were sent', () => {
  const term = step(15, { exitCode: 0 });
  const plan = podPlan();
  const watched = [{ container: 'sidecar', containerId: 'containerd://sidecar-0' }];
  const send = { id: 0, step: term, watched, isAgain: false };
  const { promises } = requestForStep(plan, send, forbid);
  expect(promises).toHaveLength(1);
  // What the first request of a step reserved is kept until the step is over.
  expect(requestForStep(plan, { ...send, isAgain: true }, forbid).promises).toEqual([]);
  const sent = attempt();
  const attempts = [
    { ...sent, step: term },
    { ...sent, step: term },
  ];
  const end = requestForEnd(plan, { container: 'sidecar', attempts }, forbid);
  expect(end.promises).toEqual(promises);
});
