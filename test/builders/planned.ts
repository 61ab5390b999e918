import { expect } from 'vitest';
import { type Ladder, toLadder } from '../../src/plan/ladder.ts';
import { planSweep } from '../../src/plan/plan.ts';
import { type Profile, profile, type StepSpec, stepSpec } from '../../src/policy/steps.ts';
import type {
  ContainerView,
  PlannedTarget,
  PodPlan,
  PodView,
  Policy,
  StepSource,
  Target,
} from '../../src/vocabulary.ts';
import { candidate } from './plan.ts';
import { container, now, podView, running } from './pod-view.ts';
import { policy } from './policy.ts';

/** Where Argo Workflows has the kill command for `sidecar`. */
export const argoKey = 'workflows.argoproj.io/kill-cmd-sidecar';

/** What is planned for a pod that is stuck. */
export function planOf(pod: PodView, more: Partial<Policy> = {}): PodPlan {
  const [plan] = planSweep([candidate(pod)], policy(more), now).pods;
  if (!plan) expect.fail('no plan');
  return plan;
}

export function targetsOf(pod: PodView, more: Partial<Policy> = {}): readonly Target[] {
  return planOf(pod, more).targets;
}

/** The plan for the only sidecar of a pod. */
export function planned(pod: PodView, more: Partial<Policy> = {}): PlannedTarget {
  const [target] = targetsOf(pod, more);
  if (target?.kind !== 'Planned') expect.fail(`not planned: ${JSON.stringify(target)}`);
  return target;
}

export function withKillCommand(text: string, more: Partial<PodView> = {}): PodView {
  return podView({ annotations: { [argoKey]: text }, ...more });
}

/** A catalogue that knows the sidecar and these steps for it. */
export function known(...written: readonly unknown[]): { readonly catalogue: readonly Profile[] } {
  const entry = { name: 'known', containers: ['sidecar'], images: ['busybox'], steps: written };
  return { catalogue: [profile.parse(entry)] };
}

/** Steps as a policy has them. */
export function specs(...written: readonly unknown[]): readonly StepSpec[] {
  return written.map((one) => stepSpec.parse(one));
}

/** Who says so in `ladder`. */
export const source: StepSource = { kind: 'Profile', profile: 'test' };

/** What written steps come to for a sidecar of a pod. */
export function ladder(
  written: readonly unknown[],
  pod: Partial<PodView> = {},
  sidecar: Partial<ContainerView> = {},
): Ladder {
  return toLadder(specs(...written), source, podView(pod), container('sidecar', running, sidecar));
}
