import { newImageOf, type Step } from '../methods/index.ts';
import type { BlockedReason, ContainerOutcome } from '../model/outcome.ts';
import type { Prediction, UncleanCost, Unfit } from '../model/step.ts';
import type { Candidate } from '../model/verdict.ts';
import type { Warning } from '../model/warning.ts';
import type { Millis } from '../util/time.ts';

/** The plan of a sweep, as plain JSON: it can be saved, shown and compared. */
export interface SweepPlan {
  /** By the server's clock; undefined if nothing could be listed, or the server does not say. */
  readonly asOf: Millis | undefined;
  readonly pods: readonly PodPlan[];
  readonly warnings: readonly Warning[];
}

export interface PodPlan {
  readonly candidate: Candidate;
  readonly targets: readonly Target[];
  /** The image swap, if it is allowed before steps whose result is uncertain. */
  readonly swap: PlannedStep | undefined;
  readonly lastResort: readonly PlannedStep[];
  /** The cost if a sidecar ends with any code but 0. */
  readonly uncleanCost: UncleanCost;
  readonly prediction: Prediction;
}

export type PlannedStep = Step & {
  readonly blocked?: BlockedReason | undefined;
  /** The backoffLimit of the pod's Job is raised first if the restart would exceed it. */
  readonly raisesLimit?: true;
  /** The images that the containers have after a swap, by the API server's answer to a dry run: a webhook may rewrite them. */
  readonly images?: Readonly<Record<string, string>>;
};

/** Sidecars through which no other talks end first, then proxies of servers, then mesh proxies and what ends last by itself. */
export type Turn = 0 | 1 | 2;

export type Target = PlannedTarget | SkippedTarget;

export interface PlannedTarget {
  readonly kind: 'Planned';
  readonly container: string;
  /** Only this instance of the container is ever signalled. */
  readonly containerId: string;
  readonly image: string;
  readonly turn: Turn;
  readonly steps: readonly PlannedStep[];
  /** Taken only if no image swap ends it: their result is uncertain. */
  readonly uncertain: readonly PlannedStep[];
  /** Steps that cannot work in this pod, or may not be taken. */
  readonly unfit: readonly Unfit[];
}

export interface SkippedTarget {
  readonly kind: 'Skipped';
  readonly container: string;
  /** If it may end meanwhile without the sweep: a last read tells what became of this instance. */
  readonly containerId?: string | undefined;
  readonly turn: Turn;
  readonly outcome: ContainerOutcome;
  readonly unfit: readonly Unfit[];
}

/** The steps that are planned for one sidecar, in order, without those for the whole pod. */
export function stepsFor(target: PlannedTarget, { swap }: Pick<PodPlan, 'swap'>): readonly PlannedStep[] {
  const swapping = swap && isFor(swap, target.container) ? [swap] : [];
  return [...target.steps, ...swapping, ...target.uncertain];
}

/** The same, followed by the steps of the last resort that are for this sidecar. */
function allStepsFor(target: PlannedTarget, plan: Steps): readonly PlannedStep[] {
  return [...stepsFor(target, plan), ...plan.lastResort.filter((step) => isFor(step, target.container))];
}

/** The first step that may be sent to a sidecar; undefined if there is none. */
export function firstStepFor(target: Target, plan: Steps): PlannedStep | undefined {
  return target.kind === 'Skipped' ? undefined : allStepsFor(target, plan).find(mayBeSent);
}

type Steps = Pick<PodPlan, 'swap' | 'lastResort'>;

export function isFor({ only }: Step, container: string): boolean {
  return only?.includes(container) ?? true;
}

/** The image that a swap gives a container, as far as is known before it is sent. */
export function imageAfter(step: PlannedStep, container: string): string | undefined {
  return step.images?.[container] ?? newImageOf(step);
}

export function mayBeSent({ blocked }: { readonly blocked?: BlockedReason | undefined }): boolean {
  return blocked === undefined;
}

/** At most what the steps for a pod may take, one after the other. */
export function timeOf({
  targets,
  swap,
  lastResort,
}: Pick<PodPlan, 'targets' | 'swap' | 'lastResort'>): Millis {
  const own = targets.flatMap((target) =>
    target.kind === 'Planned' ? [...target.steps, ...target.uncertain] : [],
  );
  return [...own, ...(swap ? [swap] : []), ...lastResort].reduce((sum, { grace }) => sum + grace, 0);
}
