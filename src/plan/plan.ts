import { describeStep, newImageOf, rbacOf, type Step } from '../methods/index.ts';
import { describeRbac, needs, type Permissions, type RbacRule } from '../methods/permissions.ts';
import { jobKey } from '../model/pod.ts';
import type { JobFacts } from '../model/reading.ts';
import type { UncleanExit, Unfit } from '../model/step.ts';
import type { Warning } from '../model/warning.ts';
import type { Millis } from '../util/time.ts';
import { isCleared, type Stakes, withClearance, worstCost } from './clearance.ts';
import { addUpDoubts, doubtsIn } from './doubts.ts';
import type { DraftTarget, PodDraft } from './draft.ts';
import { inFairOrder } from './fair-order.ts';
import { gentlerThan } from './gentler.ts';
import { predict } from './prediction.ts';
import { whyRestartsFailJob } from './restart-room.ts';
import type { PlannedStep, PodPlan, Swappable, SweepPlan, Target } from './sweep-plan.ts';

const { rules: raiseRules } = needs['raise-backoff-limit'];

/** The rules that the steps of a draft need in a namespace. */
export interface Wanted {
  readonly rules: readonly RbacRule[];
  readonly namespace: string;
}

/** Everything that the account would have to be allowed to do to carry out all steps. */
export function wantedBy(drafts: readonly PodDraft[]): readonly Wanted[] {
  return drafts.flatMap((draft) => {
    const { namespace } = draft.candidate.pod.ref;
    const steps = stepsOf(draft).map((step) => ({ rules: rbacOf(step), namespace }));
    return draft.wantsRaise ? [...steps, { rules: raiseRules, namespace }] : steps;
  });
}

/** What the API server says of the image swaps that are drafted, by the pod's uid. */
export interface SwapAdmission {
  /** Why it would refuse one. */
  readonly refused: ReadonlyMap<string, string>;
  /** The images that the containers would have afterwards, as a webhook may have rewritten them. */
  readonly images: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** What planning knows besides the pods. */
export interface Known {
  readonly permissions: Permissions;
  /** The Jobs that own the candidates, by their keys. */
  readonly jobs: ReadonlyMap<string, JobFacts>;
  readonly swaps: SwapAdmission;
  readonly mode: UncleanExit;
  readonly asOf: Millis | undefined;
}

/** The image swap of a draft, if the account may ask for it. */
export function swapIn({ candidate, swap, lastResort }: PodDraft, { allow }: Permissions): Step | undefined {
  const step = swap ?? lastResort.find((one) => newImageOf(one) !== undefined);
  return step && allow(rbacOf(step), candidate.pod.ref.namespace) ? step : undefined;
}

/** The plan for one pod, and what to warn about. */
export interface PlannedPod {
  readonly pod: PodPlan;
  readonly forbidden: readonly Warning[];
  readonly doubts: readonly Warning[];
}

/** What is going to be done about one candidate, decided before anything is sent. */
export function planOne(draft: PodDraft, known: Known): PlannedPod {
  const pod = planPod(draft, known);
  return { pod, forbidden: warnOfForbidden(draft, known.permissions), doubts: doubtsIn(pod) };
}

/** The plan for all candidates, in the order in which they are swept. */
export function toSweepPlan(planned: readonly PlannedPod[], asOf: Millis | undefined): SweepPlan {
  const forbidden = distinct(planned.flatMap((one) => one.forbidden));
  const doubts = addUpDoubts(planned.flatMap((one) => one.doubts));
  const pods = planned.map(({ pod }) => pod);
  return { asOf, pods: inFairOrder(pods, asOf), warnings: [...forbidden, ...doubts] };
}

function planPod(draft: PodDraft, known: Known): PodPlan {
  const { candidate } = draft;
  const { ref, owner } = candidate.pod;
  const job = known.jobs.get(owner ? jobKey(ref.namespace, owner) : '');
  const stakes: Stakes = { candidate, job, mode: known.mode };
  const all = candidate.sidecars.map(({ container }) => container.name);
  const unfitOf = unfitnessOf(draft, known, stakes);
  const mayRaise = job?.kind === 'Known' && mayRaiseFor(draft, known);
  const raising = (step: PlannedStep): PlannedStep =>
    mayRaise && newImageOf(step) !== undefined ? { ...step, raisesLimit: true } : step;
  const plan = (steps: readonly Step[], containers: readonly string[]): readonly PlannedStep[] =>
    steps.filter((step) => !unfitOf(step)).map((step) => raising(withClearance(step, containers, stakes)));
  const [swap] = draft.swap ? plan([draft.swap], draft.swappable) : [];
  const images = known.swaps.images.get(candidate.pod.ref.uid) ?? {};
  const swappable = draft.swappable.map((container): Swappable => ({ container, image: images[container] }));
  const lastResort = plan(draft.lastResort, all);
  const targets = draft.targets.map((target): Target => {
    if (target.kind === 'Skipped') return target;
    const { container, containerId, view, isMesh } = target;
    const ladder = withKillsHeld(plan(target.steps, [container]));
    const podSteps = [
      ...(draft.swap && draft.swappable.includes(container) ? [draft.swap] : []),
      ...draft.lastResort,
    ];
    const left = [...target.steps, ...podSteps].filter((step) => unfitOf(step) !== undefined);
    const unfit = [...target.unfit, ...distinct(left.flatMap((step) => unfitOf(step) ?? []))];
    const isSwapped = swap !== undefined && draft.swappable.includes(container);
    if (ladder.length === 0 && !isSwapped && lastResort.length === 0) return leftAlone(target, unfit);
    return {
      kind: 'Planned',
      container,
      containerId,
      image: view.image,
      isMesh,
      steps: isSwapped ? ladder.filter(isCertain) : ladder,
      uncertain: isSwapped ? ladder.filter((step) => !isCertain(step)) : [],
      unfit,
    };
  });
  return {
    candidate,
    targets,
    swap,
    swappable,
    lastResort,
    uncleanCost: worstCost(all, { exitCode: undefined }, stakes),
    prediction: predict(stakes, { targets, swap, swappable, lastResort }),
  };
}

/** A KILL is held like the step before it. */
function withKillsHeld(ladder: readonly PlannedStep[]): readonly PlannedStep[] {
  return ladder.map((step, index) => {
    const before = ladder.slice(0, index).map((one) => ({ step: one }));
    const gentler = gentlerThan(step, before)?.step;
    return gentler && isCleared(step) && !isCleared(gentler)
      ? { ...step, clearance: gentler.clearance }
      : step;
  });
}

/** Whether a step goes before an image swap: it ends with 0 and keeps the logs, or the owner asked for it and nothing can be lost. */
function isCertain({ exitCode, source, clearance }: PlannedStep): boolean {
  return exitCode === 0 || (source.kind === 'Annotation' && clearance === 'Free');
}

/** Why a step of a draft is not planned, apart from what the pod itself shows. */
function unfitnessOf(draft: PodDraft, known: Known, { job, mode }: Stakes) {
  const { candidate, swappable } = draft;
  const { namespace, uid } = candidate.pod.ref;
  return (step: Step): Unfit | undefined => {
    const { method } = step;
    if (!known.permissions.allow(rbacOf(step), namespace)) {
      return { method, reason: 'NoPermission', detail: describeRbac(rbacOf(step)), does: describeStep(step) };
    }
    if (newImageOf(step) === undefined) return undefined;
    const failing = whyRestartsFailJob(candidate, job, swappable.length, mode, mayRaiseFor(draft, known));
    if (failing !== undefined) return { method, reason: 'WouldFailJob', detail: failing };
    const refused = known.swaps.refused.get(uid);
    return refused === undefined ? undefined : { method, reason: 'NotAdmitted', detail: refused };
  };
}

function mayRaiseFor({ wantsRaise, candidate }: PodDraft, { permissions }: Known): boolean {
  return wantsRaise && permissions.allow(raiseRules, candidate.pod.ref.namespace);
}

/** Nothing may be sent to this sidecar. */
function leftAlone(target: Extract<DraftTarget, { kind: 'Drafted' }>, unfit: readonly Unfit[]): Target {
  const { container } = target;
  const needs = distinct(unfit.flatMap(({ reason, detail }) => (reason === 'NoPermission' ? [detail] : [])));
  if (needs.length === 0) {
    return { kind: 'Skipped', container, outcome: { kind: 'Skipped', reason: { kind: 'NoWay' } }, unfit };
  }
  const because = { kind: 'Refused', message: `needs ${needs.join('; ')}` } as const;
  return { kind: 'Skipped', container, outcome: { kind: 'StillRunning', because }, unfit };
}

/** The methods that a draft cannot use. */
function warnOfForbidden(draft: PodDraft, permissions: Permissions): readonly Warning[] {
  const { namespace } = draft.candidate.pod.ref;
  const forbidden = stepsOf(draft).filter((step) => !permissions.allow(rbacOf(step), namespace));
  const warn = (method: string, rules: readonly RbacRule[]): Warning => {
    return { kind: 'NoPermission', method, namespace, needs: describeRbac(rules) };
  };
  const left = forbidden.map((step) => warn(step.method, rbacOf(step)));
  const isRaiseForbidden = draft.wantsRaise && !permissions.allow(raiseRules, namespace);
  return isRaiseForbidden ? [...left, warn('RaiseBackoffLimit', raiseRules)] : left;
}

function stepsOf({ targets, swap, lastResort }: PodDraft): readonly Step[] {
  const own = targets.flatMap((target) => (target.kind === 'Drafted' ? target.steps : []));
  return [...own, ...(swap ? [swap] : []), ...lastResort];
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
