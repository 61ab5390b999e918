import { describeStep, newImageOf, rbacOf, type Step } from '../methods/index.ts';
import { describeRbac } from '../methods/permissions.ts';
import { shortened } from '../model/bounds.ts';
import { mayBeCopy } from '../model/image.ts';
import type { BlockedReason, ContainerOutcome } from '../model/outcome.ts';
import { jobKey } from '../model/pod.ts';
import type { JobFacts } from '../model/reading.ts';
import type { UncleanExit, Unfit } from '../model/step.ts';
import { distinct } from '../util/groups.ts';
import type { Millis } from '../util/time.ts';
import { type Stakes, whyBlocked, whySwapFailsJob, withKillsBlocked, worstCost } from './blocked.ts';
import type { PodDraft } from './draft.ts';
import { inFairOrder, withoutCarriers } from './order.ts';
import {
  type Allowed,
  type Forbidden,
  mayRaiseFor,
  mayTake,
  mergeForbidden,
  warnOfForbidden,
} from './permissions.ts';
import { predict } from './prediction.ts';
import { promiseOf } from './promises.ts';
import {
  isFor,
  type PlannedStep,
  type PlannedTarget,
  type PodPlan,
  type SweepPlan,
  type Target,
} from './sweep-plan.ts';

/** The API server's answer to a swap for the image that was `asked` for; it says nothing of one for another image. */
export type SwapAnswer =
  | { readonly kind: 'Refused'; readonly asked: string; readonly message: string }
  /** The images that the containers would have afterwards: a webhook may have rewritten them. */
  | { readonly kind: 'Admitted'; readonly asked: string; readonly images: Readonly<Record<string, string>> };

export interface Known extends Allowed {
  /** The Jobs that own the candidates, by their keys. */
  readonly jobs: ReadonlyMap<string, JobFacts>;
  /** By the uid of the pod. */
  readonly swaps: ReadonlyMap<string, SwapAnswer>;
  readonly mode: UncleanExit;
  /** Whether an earlier sweep saw a promise broken. */
  readonly isBroken: (promise: string) => boolean;
  readonly asOf: Millis | undefined;
}

export interface PlannedPod {
  readonly pod: PodPlan;
  readonly warnings: readonly Forbidden[];
}

export function planOne(draft: PodDraft, known: Known): PlannedPod {
  const { owner, ref } = draft.candidate.pod;
  const job = owner && known.jobs.get(jobKey(ref.namespace, owner));
  const stakes: Stakes = { candidate: draft.candidate, job, mode: known.mode };
  return { pod: planPod(draft, known, stakes), warnings: warnOfForbidden(draft, known, stakes) };
}

export function toSweepPlan(planned: readonly PlannedPod[], asOf: Millis | undefined): SweepPlan {
  const pods = planned.map(({ pod }) => pod);
  const warnings = mergeForbidden(planned.flatMap((one) => one.warnings));
  return { asOf, pods: inFairOrder(pods, asOf), warnings };
}

function planPod(draft: PodDraft, known: Known, stakes: Stakes): PodPlan {
  const { candidate } = draft;
  const { mode, swaps, isBroken } = known;
  const all = candidate.sidecars.map(({ container }) => container.name);
  const uncleanCost = worstCost(all, { exitCode: undefined }, stakes);
  const mayRaise = stakes.job?.kind === 'Known' && mayRaiseFor(draft, known);
  const answer = swaps.get(candidate.pod.ref.uid);
  const unfitOf = unfitnessOf(draft, known, stakes);
  const planStep = (step: Step, containers: readonly string[]): PlannedStep => {
    const image = newImageOf(step);
    const rests = promiseOf({ candidate, uncleanCost }, containers, step, mode);
    // Sidecars of this namespace, or a no-op image there, broke the promise in an earlier sweep.
    const broken = image === undefined ? 'PromiseBroken' : 'NoopDoesNotStart';
    const blocked = whyBlocked(step, containers, stakes) ?? (rests.some(isBroken) ? broken : undefined);
    if (image === undefined) return { ...step, blocked };
    const images = answer?.kind === 'Admitted' && answer.asked === image ? answer.images : undefined;
    return { ...step, blocked, ...(mayRaise && { raisesLimit: true }), ...(images && { images }) };
  };
  const plan = (steps: readonly Step[], containers = all): readonly PlannedStep[] =>
    steps.filter((step) => !unfitOf(step)).map((step) => planStep(step, step.only ?? containers));
  const podSteps = draft.swap ? [draft.swap, ...draft.lastResort] : draft.lastResort;
  const [swap] = draft.swap ? plan([draft.swap]) : [];
  const lastResort = plan(draft.lastResort);
  const targets = draft.targets.map((target): Target => {
    if (target.kind === 'Skipped') return target;
    const { container } = target;
    const ladder = withKillsBlocked(plan(target.steps, [container]));
    const isOurs = (step: Step) => isFor(step, container);
    const own = [...target.steps, ...podSteps.filter(isOurs)];
    const unfit = [...target.unfit, ...distinct(own.flatMap((step) => unfitOf(step) ?? []))];
    const isSwapped = swap !== undefined && isOurs(swap);
    if (ladder.length === 0 && !isSwapped && !lastResort.some(isOurs)) {
      const forbidden = own.filter((step) => unfitOf(step)?.reason === 'NoPermission');
      return leftAlone(
        target,
        unfit,
        forbidden.map((step) => planStep(step, [container]).blocked),
      );
    }
    if (!isSwapped) return { ...target, steps: ladder, unfit };
    const uncertain = ladder.filter((step) => !isCertain(step));
    return { ...target, steps: ladder.filter(isCertain), uncertain, unfit };
  });
  const steps = withoutCarriers({ targets, swap, lastResort });
  return { candidate, ...steps, uncleanCost, prediction: predict(stakes, steps) };
}

/** Whether a step goes before an image swap: it ends with 0 and keeps the logs, or the owner asked for it and nothing can be lost. */
function isCertain({ exitCode, source, blocked }: PlannedStep): boolean {
  return exitCode === 0 || (source.kind === 'Annotation' && blocked === undefined);
}

/** Why a step of a draft is not planned, apart from what the pod itself shows. */
function unfitnessOf(draft: PodDraft, known: Known, stakes: Stakes) {
  const { sidecars, pod } = draft.candidate;
  const { namespace, uid } = pod.ref;
  return (step: Step): Unfit | undefined => {
    const { method } = step;
    if (!mayTake(rbacOf(step), namespace, known)) {
      return { method, reason: 'NoPermission', detail: describeRbac(rbacOf(step)), does: describeStep(step) };
    }
    const image = newImageOf(step);
    if (image === undefined) return undefined;
    const meant = step.only?.length ?? sidecars.length;
    const failing = whySwapFailsJob(step, meant, mayRaiseFor(draft, known), stakes);
    if (failing !== undefined) return { method, reason: 'WouldFailJob', detail: failing };
    const answer = known.swaps.get(uid);
    if (answer?.asked !== image) return undefined;
    if (answer.kind === 'Refused') return { method, reason: 'NotAdmitted', detail: answer.message };
    // A webhook may turn it into the old image, or into one of which nothing is known.
    const other = Object.values(answer.images).find((one) => !mayBeCopy(one, image));
    if (other === undefined) return undefined;
    return { method, reason: 'NotAdmitted', detail: `admission makes it ${shortened(other)}` };
  };
}

/** Nothing may be sent to this sidecar. A permission would not help if the steps that need it are blocked as well. */
function leftAlone(
  { container, turn }: PlannedTarget,
  unfit: readonly Unfit[],
  forbidden: readonly (BlockedReason | undefined)[],
): Target {
  const [reason] = forbidden.includes(undefined) ? [] : forbidden;
  const needs = distinct(unfit.flatMap(({ reason, detail }) => (reason === 'NoPermission' ? [detail] : [])));
  const outcome: ContainerOutcome =
    needs.length === 0
      ? { kind: 'Skipped', reason: { kind: 'NoWay' } }
      : {
          kind: 'StillRunning',
          because: reason
            ? { kind: 'Blocked', reason }
            : { kind: 'Refused', message: `needs ${needs.join('; ')}` },
        };
  return { kind: 'Skipped', container, turn, outcome, unfit };
}
