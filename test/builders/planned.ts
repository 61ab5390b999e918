import { expect } from 'vitest';
import { type StepSpec, stepSpec } from '../../src/methods/index.ts';
import type { Permissions } from '../../src/methods/permissions.ts';
import type { ContainerView, PodView } from '../../src/model/pod.ts';
import type { StepSource } from '../../src/model/step.ts';
import type { Candidate } from '../../src/model/verdict.ts';
import { draftPod, type PodDraft } from '../../src/plan/draft.ts';
import { type Ladder, toLadder } from '../../src/plan/ladder.ts';
import { type Known, planOne, toSweepPlan } from '../../src/plan/plan.ts';
import type { PlannedTarget, PodPlan, SweepPlan } from '../../src/plan/sweep-plan.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { type Profile, profile } from '../../src/policy/profile.ts';
import { jobFacts, keyOfJob } from './job.ts';
import { candidate } from './plan.ts';
import { container, now, podView, running } from './pod-view.ts';
import { policy } from './policy.ts';

export const argoKey = 'workflows.argoproj.io/kill-cmd-sidecar';

export function draftOf(pod: PodView, more: Partial<Policy> = {}): PodDraft {
  return draftPod(candidate(pod), policy(more));
}

export function sweepPlanOf(candidates: readonly Candidate[], more: Partial<Policy> = {}): SweepPlan {
  const resolved = policy(more);
  const drafts = candidates.map((one) => draftPod(one, resolved));
  return planSweep(drafts, known({ mode: resolved.uncleanExit }));
}

export function planSweep(drafts: readonly PodDraft[], of: Known): SweepPlan {
  const planned = drafts.map((draft) => planOne(draft, of));
  return toSweepPlan(planned, of.asOf);
}

/** What planning knows: every permission, and a Job with retries left for every pod of the builders. */
export function known(more: Partial<Known> = {}): Known {
  return {
    permissions: everythingAllowed,
    jobs: new Map([[keyOfJob(podView()), jobFacts()]]),
    swaps: new Map(),
    mode: 'forbid',
    isBroken: () => false,
    asOf: now,
    ...more,
  };
}

export const everythingAllowed: Permissions = { allow: () => true };

export function planOf(pod: PodView, more: Partial<Policy> = {}): PodPlan {
  const [plan] = sweepPlanOf([candidate(pod)], more).pods;
  if (!plan) expect.fail('no plan');
  return plan;
}

export function planned(pod: PodView, more: Partial<Policy> = {}): PlannedTarget {
  const [target] = planOf(pod, more).targets;
  if (target?.kind !== 'Planned') expect.fail(`not planned: ${JSON.stringify(target)}`);
  return target;
}

export function withKillCommand(text: string, more: Partial<PodView> = {}): PodView {
  return podView({ annotations: { [argoKey]: text }, ...more });
}

/** A profile for the sidecar of its name. */
export function profileOf(name: string, ...written: readonly unknown[]): Profile {
  return profile.parse({ name, containers: [name], images: ['busybox'], steps: written });
}

/** A catalogue with a profile for the sidecar that has these steps. */
export function knowing(...written: readonly unknown[]): { readonly catalogue: readonly Profile[] } {
  const entry = { name: 'known', containers: ['sidecar'], images: ['busybox'], steps: written };
  return { catalogue: [profile.parse(entry)] };
}

export function specs(...written: readonly unknown[]): readonly StepSpec[] {
  return written.map((one) => stepSpec.parse(one));
}

export const quit = { http: { port: 15_020, path: '/quitquitquit' }, exitCode: 0 };
export const swap = { imageSwap: { image: 'noop:1', commands: 'shipped' } };
export const [early] = specs(swap);

/** The source of the steps in `ladder`. */
export const source: StepSource = { kind: 'Profile', profile: 'test' };

/** The ladder that written steps give for a sidecar. */
export function ladder(
  written: readonly unknown[],
  pod: Partial<PodView> = {},
  sidecar: Partial<ContainerView> = {},
): Ladder {
  return toLadder(specs(...written), source, {
    pod: podView(pod),
    container: container('sidecar', running, sidecar),
  });
}
