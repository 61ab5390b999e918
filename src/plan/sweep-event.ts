import type { Harm } from '../model/job.ts';
import type { AttemptResult, ContainerOutcome, KeptLog, PodOutcome, StopReason } from '../model/outcome.ts';
import type { MalformedPod, Owner, PodRef } from '../model/pod.ts';
import type { Fault, Problem } from '../model/reading.ts';
import type { RunInfo } from '../model/scope.ts';
import type { Verdict } from '../model/verdict.ts';
import type { Warning } from '../model/warning.ts';
import type { Policy } from '../policy/policy.ts';
import type { Millis } from '../util/time.ts';
import type { PlannedStep, SweepPlan } from './sweep-plan.ts';

/** A step that was sent or blocked, and the result. */
export interface Attempt {
  readonly step: PlannedStep;
  readonly sentAt: Millis;
  readonly duration: Millis;
  readonly result: AttemptResult;
  /** Until when it may still work, if the sweep did not wait that long. */
  readonly due?: Millis;
  /** The last lines of the containers whose logs the step takes, by container, if they were kept. */
  readonly logs?: ReadonlyMap<string, KeptLog>;
}

export interface TargetConclusion {
  readonly container: string;
  readonly attempts: readonly Attempt[];
  readonly outcome: ContainerOutcome;
  readonly endedAt: Millis | undefined;
}

export interface PodConclusion {
  readonly pod: PodRef;
  readonly targets: readonly TargetConclusion[];
  readonly outcome: PodOutcome;
  /** Whether a main failed: its Job reacts to that. */
  readonly mainFailed?: boolean;
  readonly harm?: HarmDone | undefined;
}

export interface HarmDone extends Harm {
  /** Undefined if no Job owns the pod. */
  readonly job: Owner | undefined;
}

/** The events of a sweep. Listeners (report, log, progress) cannot influence it. */
export type SweepEvent =
  | {
      readonly kind: 'SweepStarted';
      readonly at: Millis;
      readonly run: RunInfo;
      readonly policy: Pick<Policy, 'scope' | 'minAge'>;
    }
  | {
      readonly kind: 'PageListed';
      readonly pods: number;
      /** Those of which no container has ended; they are not judged. */
      readonly atWork: readonly PodRef[];
      readonly malformed: readonly MalformedPod[];
      readonly otherShards: number;
    }
  | {
      readonly kind: 'ReadFailed';
      readonly namespace: string | undefined;
      readonly problem: Problem;
      /** If it is not the list of pods, but a pod that was named, the namespace itself, or the list of namespaces. */
      readonly what?: 'Pod' | 'Namespace';
    }
  | { readonly kind: 'PodJudged'; readonly verdict: Verdict }
  /** Not emitted if the account may not read what identifies the cluster. */
  | { readonly kind: 'ClusterIdentified'; readonly uid: string }
  | { readonly kind: 'PlanMade'; readonly plan: SweepPlan }
  /** Something is about to change in the cluster. */
  | {
      readonly kind: 'Acting';
      readonly pod: PodRef;
      readonly containers: readonly string[];
      readonly does: string;
    }
  | { readonly kind: 'StepSent'; readonly pod: PodRef; readonly container: string; readonly attempt: Attempt }
  | { readonly kind: 'PodConcluded'; readonly conclusion: PodConclusion }
  | { readonly kind: 'Warned'; readonly warning: Warning }
  | { readonly kind: 'FaultFound'; readonly fault: Fault }
  | { readonly kind: 'Stopping'; readonly reason: StopReason }
  | {
      readonly kind: 'SweepFinished';
      readonly at: Millis;
      /** It did not end by itself: what was under way may have been sent. */
      readonly isCut?: true;
    };

export type Emit = (event: SweepEvent) => void;
