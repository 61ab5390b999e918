import type { Millis } from '../duration.ts';
import { describeStep, rbacOf, type Step } from '../methods/index.ts';
import { describeRbac, type Permissions, type RbacRule } from '../methods/rbac.ts';
import type { UncleanExit, Unfit, Warning } from '../vocabulary.ts';
import { isProtected, withClearance } from './clearance.ts';
import { warnOfDoubts } from './doubts.ts';
import type { DraftTarget, PodDraft } from './draft.ts';
import { predict } from './prediction.ts';
import type { PlannedStep, PodPlan, SweepPlan, Target } from './sweep-plan.ts';

/** The rules that the steps of a draft need in a namespace. */
export interface Wanted {
  readonly rules: readonly RbacRule[];
  readonly namespace: string;
}

/** Everything that the account would have to be allowed to do to carry out all steps. */
export function wantedBy(drafts: readonly PodDraft[]): readonly Wanted[] {
  return drafts.flatMap((draft) => {
    const { namespace } = draft.candidate.pod.ref;
    return stepsOf(draft).map((step) => ({ rules: rbacOf(step), namespace }));
  });
}

/** What is going to be done about every candidate, decided before anything is sent. */
export function planSweep(
  drafts: readonly PodDraft[],
  permissions: Permissions,
  mode: UncleanExit,
  asOf: Millis | undefined,
): SweepPlan {
  const pods = drafts.map((draft) => planPod(draft, permissions, mode));
  return { asOf, pods, warnings: [...warnOfForbidden(drafts, permissions), ...warnOfDoubts(pods)] };
}

function planPod(
  { candidate, targets, lastResort }: PodDraft,
  permissions: Permissions,
  mode: UncleanExit,
): PodPlan {
  const isWorkDone = isProtected(candidate);
  const { namespace } = candidate.pod.ref;
  const plan = (steps: readonly Step[]): readonly PlannedStep[] =>
    steps
      .filter((step) => permissions.allow(rbacOf(step), namespace))
      .map((step) => withClearance(step, isWorkDone, mode));
  const podSteps = plan(lastResort);
  const planned = targets.map((target): Target => {
    if (target.kind === 'Skipped') return target;
    const steps = plan(target.steps);
    const forbidden = [...target.steps, ...lastResort].filter(
      (step) => !permissions.allow(rbacOf(step), namespace),
    );
    const unfit = [...target.unfit, ...distinct(forbidden.map(noPermission))];
    if (steps.length > 0 || podSteps.length > 0) return { ...target, kind: 'Planned', steps, unfit };
    return refused(target, forbidden, unfit);
  });
  return {
    candidate,
    targets: planned,
    lastResort: podSteps,
    isProtected: isWorkDone,
    prediction: predict(candidate, planned, podSteps),
  };
}

/** Nothing may be sent to this sidecar. */
function refused(
  target: Extract<DraftTarget, { kind: 'Drafted' }>,
  forbidden: readonly Step[],
  unfit: readonly Unfit[],
): Target {
  const needs = [...new Set(forbidden.map((step) => describeRbac(rbacOf(step))))];
  const because = { kind: 'Refused', message: `needs ${needs.join('; ')}` } as const;
  return {
    kind: 'Skipped',
    container: target.container,
    outcome: { kind: 'StillRunning', because },
    unfit,
  };
}

function noPermission(step: Step): Unfit {
  const { method } = step;
  return { method, reason: 'NoPermission', detail: describeRbac(rbacOf(step)), does: describeStep(step) };
}

/** One warning for each method and namespace. */
function warnOfForbidden(drafts: readonly PodDraft[], permissions: Permissions): readonly Warning[] {
  return distinct(
    drafts.flatMap((draft): readonly Warning[] => {
      const { namespace } = draft.candidate.pod.ref;
      const forbidden = stepsOf(draft).filter((step) => !permissions.allow(rbacOf(step), namespace));
      return forbidden.map((step) => {
        const needs = describeRbac(rbacOf(step));
        return { kind: 'NoPermission', method: step.method, namespace, needs };
      });
    }),
  );
}

function stepsOf({ targets, lastResort }: PodDraft): readonly Step[] {
  const own = targets.flatMap((target) => (target.kind === 'Drafted' ? target.steps : []));
  return [...own, ...lastResort];
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
