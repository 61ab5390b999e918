import { methodNamed, newImageOf, rbacOf, type Step } from '../methods/index.ts';
import { describeRbac, needs, type Permissions, type RbacRule } from '../methods/permissions.ts';
import type { Warning } from '../model/warning.ts';
import { distinct, groupsOf } from '../util/groups.ts';
import { type Stakes, whyBlocked } from './blocked.ts';
import type { PodDraft } from './draft.ts';

const { rules: raiseRules } = needs['raise-backoff-limit'];

/** The rules that the steps of a draft need in a namespace. */
export interface Wanted {
  readonly rules: readonly RbacRule[];
  readonly namespace: string;
}

/** Everything that the account would have to be allowed to do to carry out all steps. */
export function wantedBy(draft: PodDraft): readonly Wanted[] {
  const { namespace } = draft.candidate.pod.ref;
  const steps = stepsOf(draft).map(({ step }) => ({ rules: rbacOf(step), namespace }));
  return draft.wantsRaise ? [...steps, { rules: raiseRules, namespace }] : steps;
}

export interface Allowed {
  readonly permissions: Permissions;
  /** Whether steps that the account may not take are planned as well. */
  readonly assumesPermissions?: boolean;
}

/** The image swap of a draft, if the account may ask for it. */
export function swapIn({ candidate, swap, lastResort }: PodDraft, { allow }: Permissions): Step | undefined {
  const step = swap ?? lastResort.find((one) => newImageOf(one) !== undefined);
  return step && allow(rbacOf(step), candidate.pod.ref.namespace) ? step : undefined;
}

export function mayRaiseFor({ wantsRaise, candidate }: PodDraft, known: Allowed): boolean {
  return wantsRaise && mayTake(raiseRules, candidate.pod.ref.namespace, known);
}

export function mayTake(rules: readonly RbacRule[], namespace: string, known: Allowed): boolean {
  return known.assumesPermissions === true || known.permissions.allow(rules, namespace);
}

export type Forbidden = Extract<Warning, { readonly kind: 'NoPermission' }>;

/** The methods that a draft cannot use. Where image swaps are allowed, they take the place of commands, signals and requests. */
export function warnOfForbidden(
  draft: PodDraft,
  { permissions, assumesPermissions = false }: Allowed,
  stakes: Stakes,
): readonly Forbidden[] {
  const { namespace } = draft.candidate.pod.ref;
  const swaps =
    !assumesPermissions && draft.swap !== undefined && permissions.allow(rbacOf(draft.swap), namespace);
  const forbidden = stepsOf(draft).filter(
    ({ step, containers }) =>
      !permissions.allow(rbacOf(step), namespace) &&
      whyBlocked(step, containers, stakes) === undefined &&
      !(swaps && methodNamed(step.method).ends === 'Container'),
  );
  const warn = (method: string, rules: readonly RbacRule[]): Forbidden => {
    return { kind: 'NoPermission', method, namespaces: [namespace], needs: describeRbac(rules) };
  };
  const left = forbidden.map(({ step }) => warn(step.method, rbacOf(step)));
  const isRaiseForbidden = draft.wantsRaise && !permissions.allow(raiseRules, namespace);
  return isRaiseForbidden ? [...left, warn('RaiseBackoffLimit', raiseRules)] : left;
}

/** One warning for all namespaces that lack the same permission. */
export function mergeForbidden(warnings: readonly Forbidden[]): readonly Forbidden[] {
  return groupsOf(warnings, ({ method, needs }) => JSON.stringify([method, needs])).map((alike) => ({
    ...alike[0],
    namespaces: distinct(alike.flatMap(({ namespaces }) => namespaces)),
  }));
}

function stepsOf({ candidate, targets, swap, lastResort }: PodDraft) {
  const all = candidate.sidecars.map(({ container }) => container.name);
  const own = targets.flatMap((target) =>
    target.kind === 'Planned' ? target.steps.map((step) => ({ step, containers: [target.container] })) : [],
  );
  const ofPod = swap ? [swap, ...lastResort] : lastResort;
  return [...own, ...ofPod.map((step) => ({ step, containers: step.only ?? all }))];
}
