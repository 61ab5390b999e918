import { mayRunOn } from '../methods/image-swap.ts';
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
import type { DraftTarget, PodDraft } from './draft.ts';
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
  type PodPlan,
  type Swappable,
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
  readonly platforms: ReadonlyMap<string | undefined, string>;
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

function planPod(drafted: PodDraft, known: Known, stakes: Stakes): PodPlan {
  const { candidate, job } = stakes;
  const platform = known.platforms.get(candidate.pod.node);
  const draft = onNode(drafted, platform);
  const all = candidate.sidecars.map(({ container }) => container.name);
  const unfitOf = unfitnessOf(draft, known, stakes);
  const mayRaise = job?.kind === 'Known' && mayRaiseFor(draft, known);
  const raising = (step: PlannedStep): PlannedStep =>
    mayRaise && newImageOf(step) !== undefined ? { ...step, raisesLimit: true } : step;
  const plan = (steps: readonly Step[], containers: readonly string[]): readonly PlannedStep[] =>
    steps
      .filter((step) => !unfitOf(step))
      .map((step) => raising({ ...step, blocked: whyBlocked(step, step.only ?? containers, stakes) }));
  const answer = known.swaps.get(candidate.pod.ref.uid);
  const swappable = draft.swappable.map((container): Swappable => {
    const image = answer?.kind === 'Admitted' ? answer.images[container] : undefined;
    const only = onlyImagesOf(container, draft);
    return {
      container,
      ...(only && { only }),
      ...(answer && image !== undefined && { rewritten: { from: answer.asked, to: image } }),
    };
  });
  const [swap] = draft.swap ? plan([draft.swap], draft.swappable) : [];
  const allLast = plan(draft.lastResort, all);
  const asked = draft.targets.map((target): Target => {
    if (target.kind === 'Skipped') return target;
    const { container, containerId, view, turn } = target;
    const ladder = withKillsBlocked(plan(target.steps, [container]));
    const isOurs = (step: Step) => isFor(step, container, { swappable });
    const podSteps = [...(draft.swap ? [draft.swap] : []), ...draft.lastResort].filter(isOurs);
    const own = [...target.steps, ...podSteps];
    const unfit = [...target.unfit, ...distinct(own.flatMap((step) => unfitOf(step) ?? []))];
    const isSwapped = swap !== undefined && isOurs(swap);
    if (ladder.length === 0 && !isSwapped && !allLast.some(isOurs)) {
      const forbidden = own.filter((step) => unfitOf(step)?.reason === 'NoPermission');
      return leftAlone(
        target,
        unfit,
        forbidden.map((step) => whyBlocked(step, [container], stakes)),
      );
    }
    return {
      kind: 'Planned',
      container,
      containerId,
      image: view.image,
      turn,
      steps: isSwapped ? ladder.filter(isCertain) : ladder,
      uncertain: isSwapped ? ladder.filter((step) => !isCertain(step)) : [],
      unfit,
    };
  });
  const uncleanCost = worstCost(all, { exitCode: undefined }, stakes);
  const drawn = { candidate, platform, targets: asked, swap, lastResort: allLast, uncleanCost };
  const steps = withoutCarriers({ ...withBrokenBlocked(drawn, all, known), swappable });
  return {
    candidate,
    platform,
    ...steps,
    uncleanCost,
    prediction: predict(stakes, steps),
  };
}

/** The same draft, without the promise of a swap whose image the node of the pod cannot run. */
function onNode(draft: PodDraft, platform: string | undefined): PodDraft {
  const on = (step: Step): Step => {
    if (step.method !== 'ImageSwap' || mayRunOn(step, platform)) return step;
    const { promisedBy: _, ...rest } = step;
    const whyUnknown = `${step.image} is built for linux/amd64 and linux/arm64, and the node is ${platform}: name an image that the node can run, and list its programs under imageSwap.commands of the policy`;
    return { ...rest, exitCode: undefined, whyUnknown };
  };
  return { ...draft, swap: draft.swap && on(draft.swap), lastResort: draft.lastResort.map(on) };
}

/** Undefined if all sidecars of the pod may be swapped for the same images. */
function onlyImagesOf(container: string, { swapImages }: PodDraft): readonly string[] | undefined {
  const own = swapImages[container] ?? [];
  const isSame = Object.values(swapImages).every((images) => images.join() === own.join());
  return isSame ? undefined : own;
}

/** Steps that rest on a promise which sidecars of this namespace, or a no-op image there, broke in an earlier sweep are not sent. */
function withBrokenBlocked(
  plan: Pick<PodPlan, 'candidate' | 'platform' | 'targets' | 'swap' | 'lastResort' | 'uncleanCost'>,
  all: readonly string[],
  { isBroken, mode }: Known,
): Pick<PodPlan, 'targets' | 'swap' | 'lastResort'> {
  const block = (step: PlannedStep, containers: readonly string[]): PlannedStep => {
    if (step.blocked !== undefined || !promiseOf(plan, containers, step, mode).some(isBroken)) return step;
    return { ...step, blocked: newImageOf(step) === undefined ? 'PromiseBroken' : 'NoopDoesNotStart' };
  };
  const targets = plan.targets.map((target): Target => {
    if (target.kind === 'Skipped') return target;
    const blockOwn = (step: PlannedStep) => block(step, [target.container]);
    return { ...target, steps: target.steps.map(blockOwn), uncertain: target.uncertain.map(blockOwn) };
  });
  const swap = plan.swap && block(plan.swap, all);
  return { targets, swap, lastResort: plan.lastResort.map((step) => block(step, step.only ?? all)) };
}

/** Whether a step goes before an image swap: it ends with 0 and keeps the logs, or the owner asked for it and nothing can be lost. */
function isCertain({ exitCode, source, blocked }: PlannedStep): boolean {
  return exitCode === 0 || (source.kind === 'Annotation' && blocked === undefined);
}

/** Why a step of a draft is not planned, apart from what the pod itself shows. */
function unfitnessOf(draft: PodDraft, known: Known, stakes: Stakes) {
  const { candidate, swapImages } = draft;
  const { namespace, uid } = candidate.pod.ref;
  return (step: Step): Unfit | undefined => {
    const { method } = step;
    if (!mayTake(rbacOf(step), namespace, known)) {
      return { method, reason: 'NoPermission', detail: describeRbac(rbacOf(step)), does: describeStep(step) };
    }
    const image = newImageOf(step);
    if (image === undefined) return undefined;
    const meant = Object.values(swapImages).filter((images) => images.includes(image)).length;
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
  target: Extract<DraftTarget, { kind: 'Drafted' }>,
  unfit: readonly Unfit[],
  forbidden: readonly (BlockedReason | undefined)[],
): Target {
  const { container, turn } = target;
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
