/** The words of the product, in the order of its pipeline: list, judge, plan, apply, report. */
import type { Millis } from './duration.ts';
import type { Rule } from './policy/rules.ts';
import type { Profile, StepSpec } from './policy/steps.ts';
import type {
  AttemptResult,
  ContainerOutcome,
  Evidence,
  Exclusion,
  HeldReason,
  JobReaction,
  MethodName,
  NotAttemptedReason,
  PodOutcome,
  Prediction,
  Remark,
  SkipReason,
  StepSource,
  StopReason,
  Unfit,
  Warning,
} from './report/schema.ts';

export type {
  AttemptResult,
  ContainerOutcome,
  Evidence,
  Exclusion,
  HeldReason,
  JobReaction,
  MethodName,
  Millis,
  NotAttemptedReason,
  PodOutcome,
  Prediction,
  Profile,
  Remark,
  Rule,
  SkipReason,
  StepSource,
  StopReason,
  Unfit,
  Warning,
};

// ---- list: what is needed of a pod ---------------------------------------------------------------------------

export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

export interface PodRef extends PodName {
  readonly uid: string;
}

/** The few facts of a pod that decisions rest on; the API's own object goes no further than `kube/`. */
export interface PodView {
  readonly ref: PodRef;
  readonly node: string | undefined;
  readonly phase: string;
  /** `status.reason`: why the pod is as it is, in one word. */
  readonly reason: string | undefined;
  readonly deleting: boolean;
  readonly restartPolicy: RestartPolicy;
  /** Whose processes a container of the pod sees: its own, the pod's (PID 1 is pause) or the node's. */
  readonly processNamespace: 'Container' | 'Pod' | 'Node';
  /** Its loopback is the node's. */
  readonly hostNetwork: boolean;
  /** What the pod itself says that its node must be. */
  readonly os: string | undefined;
  /** `terminationGracePeriodSeconds`, 30 seconds if unset. */
  readonly grace: Millis;
  readonly owner: Owner | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** What its place on the node is counted at. */
  readonly requests: Resources;
  readonly annotations: Readonly<Record<string, string>>;
  /** The regular containers, in the order of the spec. */
  readonly containers: readonly ContainerView[];
  readonly nativeSidecars: readonly NativeSidecarView[];
  /** Those that run to their end before the regular ones start. */
  readonly initContainers: readonly string[];
  readonly ephemeralContainers: readonly string[];
  /** What Argo Workflows made this pod for; undefined when it did not. */
  readonly argo: ArgoView | undefined;
  /** What is wrong with the container statuses; empty when there is exactly one for every container. */
  readonly statusProblems: readonly string[];
  /** The owning Job has not counted this pod yet: it still carries the job-tracking finalizer. */
  readonly awaitsJobTracking: boolean;
}

/** Cores and bytes. */
export interface Resources {
  readonly cpu: number;
  readonly memory: number;
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface ContainerView {
  readonly name: string;
  readonly image: string;
  /** `command` and `args` of the spec; undefined where the image's own are used. */
  readonly command: readonly string[] | undefined;
  readonly args: readonly string[] | undefined;
  /** The variables that the spec gives a plain value. */
  readonly env: Readonly<Record<string, string>>;
  /** The container's own policy (Kubernetes 1.34+), which overrides the pod's. */
  readonly restartPolicy: RestartPolicy | undefined;
  readonly restartRules: readonly RestartRule[];
  readonly state: ContainerState;
  /** Of the instance that `state` speaks of. */
  readonly id: string | undefined;
  readonly restartCount: number;
  /** How the instance before this one ended, and when. */
  readonly lastExitCode: number | undefined;
  readonly lastFinishedAt: Millis | undefined;
}

export type ContainerState =
  | { readonly kind: 'Running'; readonly startedAt: Millis | undefined }
  | { readonly kind: 'Waiting'; readonly reason: string }
  | {
      readonly kind: 'Terminated';
      readonly exitCode: number;
      readonly signal: number | undefined;
      readonly reason: string;
      readonly finishedAt: Millis | undefined;
    }
  | { readonly kind: 'Unreported' };

/** A rule of `restartPolicyRules`: exit codes after which the container is started again, whatever the policy. */
export interface RestartRule {
  /** `Restart`; 1.35 adds `RestartAllContainers`, which brings back mains when a sidecar ends. */
  readonly action: string;
  readonly operator: 'In' | 'NotIn';
  readonly exitCodes: readonly number[];
}

/** A pod of Argo Workflows. */
export interface ArgoView {
  /** The containers of its template, which do the work; undefined when the pod does not let them be known. */
  readonly mains: readonly string[] | undefined;
}

export interface NativeSidecarView {
  readonly name: string;
  readonly image: string;
}

/** Which pods are looked at. No namespaces means all of them. */
export interface Scope {
  readonly namespaces: readonly string[];
  readonly labelSelector: string | undefined;
  /** Whether pods that never came to run are looked at as well. */
  readonly includePending?: boolean;
  readonly shard?: Shard | undefined;
}

/** One of several parts of a cluster's pods, counted from 0; a hash of a pod's uid says which it belongs to. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

// ---- judge ---------------------------------------------------------------------------------------------------

/** What an operator decides; everything that judging and planning rest on besides the pod itself. */
export interface Policy {
  readonly scope: Scope;
  /** How long the last main must have ended. */
  readonly minAge: Millis;
  /** What the operator knows of their own containers; the first that fits decides. */
  readonly rules: readonly Rule[];
  readonly catalogue: readonly Profile[];
  readonly annotationCommands: AnnotationCommands;
  readonly uncleanExit: UncleanExit;
  /** What may be done to a pod whose sidecars outlive every gentler step, in this order. Empty by default. */
  readonly lastResort: readonly StepSpec[];
}

/** Whether kill commands in annotations are run: never, those that fit a pattern, or all. */
export type AnnotationCommands =
  | { readonly kind: 'Off' }
  | { readonly kind: 'Allowlist'; readonly patterns: readonly (readonly string[])[] }
  | { readonly kind: 'Any' };

/** Whether a step may end a sidecar unclean where a Job would then run finished work again. */
export type UncleanExit = 'canary' | 'allow' | 'forbid';

/** What else judging rests on, read from the cluster beforehand as far as it was needed and allowed. */
export interface Facts {
  /** Names of the containers in a Job's template, by the Job's uid. */
  readonly jobContainers: ReadonlyMap<string, readonly string[]>;
  /** Nodes that are known not to be ready, with the reason. */
  readonly unreadyNodes: ReadonlyMap<string, string>;
  /** The pod that this process runs in. */
  readonly self: PodName | undefined;
}

export type Role = 'Main' | 'Sidecar';

/** What one source of evidence says of a container. */
export interface Statement {
  readonly role: Role;
  readonly because: Evidence;
}

export interface JudgedContainer extends Statement {
  readonly container: ContainerView;
}

/** A main container that ended for good. */
export interface EndedMain {
  readonly name: string;
  readonly image: string;
  readonly because: Evidence;
  readonly exitCode: number;
  readonly endedAt: Millis;
}

export interface Sidecar {
  readonly because: Evidence;
  readonly container: ContainerView;
}

export interface Candidate {
  readonly kind: 'Candidate';
  readonly pod: PodView;
  readonly mains: readonly EndedMain[];
  readonly sidecars: readonly Sidecar[];
  /** When the last main ended: since then the pod is stuck. */
  readonly mainsEndedAt: Millis;
  readonly remarks: readonly Remark[];
}

/** A pod that is stuck as well, but because of a sidecar that never came to run: there is nothing to signal. */
export interface NeverStarted extends Omit<Candidate, 'kind'> {
  readonly kind: 'NeverStarted';
}

export interface Excluded {
  readonly kind: 'Excluded';
  readonly pod: PodView;
  readonly because: readonly Exclusion[];
  readonly remarks: readonly Remark[];
}

export type Verdict =
  | Candidate
  | NeverStarted
  | Excluded
  | { readonly kind: 'Undecided'; readonly pod: PodView; readonly problem: string };

/** What the check for one reason found; nothing means that the pod passes it. */
export interface Checked {
  readonly kind: Exclusion['kind'];
  readonly found: readonly Exclusion[];
}

/** How judging came to its verdict on a pod. */
export interface Explanation {
  readonly verdict: Verdict;
  readonly containers: readonly ExplainedContainer[];
  /** The word of every check; none for a pod that cannot be judged. */
  readonly checks: readonly Checked[];
}

export interface ExplainedContainer {
  readonly container: ContainerView;
  /** All that is said of it, the decisive statement first. */
  readonly evidence: readonly [Statement, ...Statement[]];
}

// ---- plan ----------------------------------------------------------------------------------------------------

/** What a sweep is going to do, as plain JSON: it can be saved, shown and compared. */
export interface SweepPlan {
  readonly asOf: Millis;
  readonly pods: readonly PodPlan[];
  readonly warnings: readonly Warning[];
}

export interface PodPlan {
  readonly candidate: Candidate;
  readonly targets: readonly Target[];
  /** What is done to the pod if a sidecar outlives its own steps. */
  readonly lastResort: readonly PodStep[];
  /** The mains' work is done and a Job would do it again if a sidecar ended unclean. */
  readonly isProtected: boolean;
  readonly prediction: Prediction;
}

/** Whether a step may be sent: freely, to one pod first, or not at all because it would make finished work run again. */
export type Clearance = 'Free' | 'Canary' | 'KnownUnclean' | 'Forbidden';

/** A sidecar and what is to be done about it. */
export type Target = PlannedTarget | SkippedTarget;

export interface PlannedTarget {
  readonly kind: 'Planned';
  readonly container: string;
  /** Only this instance of the container is ever signalled. */
  readonly containerId: string;
  readonly image: string;
  /** Tells apart containers of one image that are started differently. */
  readonly variant: string;
  readonly steps: readonly ContainerStep[];
  /** Steps that the pod itself shows cannot work. */
  readonly unfit: readonly Unfit[];
}

export interface SkippedTarget {
  readonly kind: 'Skipped';
  readonly container: string;
  readonly outcome: ContainerOutcome;
}

/** One request and the time to wait for its effect; data only. */
export type Step = ContainerStep | PodStep;

/** A step that ends one container from within, or by its own interface. */
export type ContainerStep = CommandStep | HttpStep | SignalStep | TombstoneStep;

/** A step that ends what is left in a pod from outside. */
export type PodStep = ImageSwapStep | EphemeralContainerStep | DeadlineStep | EvictStep | DeleteStep;

interface StepCommon {
  readonly grace: Millis;
  /** The code that the container ends with; undefined: not known. */
  readonly exitCode: number | undefined;
  readonly source: StepSource;
}

export interface CommandStep extends StepCommon {
  readonly method: 'Command';
  readonly command: readonly string[];
}

export interface HttpStep extends StepCommon {
  readonly method: 'Http';
  readonly request: HttpRequest;
}

export interface HttpRequest {
  readonly method: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The answers that mean yes; empty: any 2xx. */
  readonly statuses: readonly number[];
}

export interface SignalStep extends StepCommon {
  readonly method: 'Signal';
  /** Names without SIG; the first that the process catches is sent. */
  readonly signals: readonly string[];
}

export interface TombstoneStep extends StepCommon {
  readonly method: 'Tombstone';
  readonly path: string;
  readonly content: string;
}

export interface ImageSwapStep extends StepCommon {
  readonly method: 'ImageSwap';
  readonly image: string;
  /** What the image has to start, if it is not the shipped one. */
  readonly programs: readonly string[] | undefined;
}

export interface EphemeralContainerStep extends StepCommon {
  readonly method: 'EphemeralContainer';
  readonly image: string;
  readonly command: readonly string[];
}

export interface DeadlineStep extends StepCommon {
  readonly method: 'Deadline';
}

export interface EvictStep extends StepCommon {
  readonly method: 'Evict';
}

export interface DeleteStep extends StepCommon {
  readonly method: 'Delete';
}

// ---- apply ---------------------------------------------------------------------------------------------------

export interface Attempt {
  readonly step: Step;
  readonly sentAt: Millis;
  readonly duration: Millis;
  readonly result: AttemptResult;
}

/** What a read of the pod gave. */
export type PodReading =
  | { readonly kind: 'Present'; readonly pod: PodView; readonly asOf: Millis }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Replaced'; readonly uid: string }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

/** What a reading says about one instance of a container. */
export type Observation =
  | {
      readonly kind: 'Exited';
      readonly exitCode: number;
      readonly signal: number | undefined;
      readonly finishedAt: Millis | undefined;
    }
  | { readonly kind: 'Running' }
  /** Its image was swapped, it ended, and the new one does not start. */
  | { readonly kind: 'NotStarted'; readonly reason: string }
  | { readonly kind: 'Restarted'; readonly exitCode: number | undefined; readonly restartCount: number }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Replaced'; readonly uid: string }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export type Next = { readonly kind: 'Send'; readonly step: ContainerStep } | { readonly kind: 'Done' };

/** What became of one sidecar. */
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
}

// ---- what clusters answer ------------------------------------------------------------------------------------

/** Why a request did not give what was asked for; `message` is one line for people. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly message: string;
}

export type ProblemKind =
  | 'Unreachable'
  | 'TimedOut'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'Rejected'
  | 'Malformed'
  | 'Interrupted';

export interface JobView {
  /** Names of the containers in its template. */
  readonly containers: readonly string[];
  readonly complete: boolean;
  /** The reason of its Failed condition. */
  readonly failed: string | undefined;
  /** Uids of ended pods that its counters do not have yet. */
  readonly uncounted: readonly string[];
}

// ---- report --------------------------------------------------------------------------------------------------

export interface RunInfo {
  readonly id: string;
  readonly version: string;
  readonly dryRun: boolean;
  readonly context: string;
  readonly server: string;
}

/** Everything that listeners (report, log, terminal) hear; they cannot influence the run. */
export type SweepEvent =
  | {
      readonly kind: 'SweepStarted';
      readonly at: Millis;
      readonly run: RunInfo;
      readonly policy: Pick<Policy, 'scope' | 'minAge' | 'uncleanExit'>;
    }
  | {
      readonly kind: 'PageListed';
      readonly pods: number;
      readonly malformed: readonly MalformedPod[];
      readonly otherShards: number;
    }
  | { readonly kind: 'ReadFailed'; readonly namespace: string | undefined; readonly problem: Problem }
  | { readonly kind: 'PodJudged'; readonly verdict: Verdict }
  | { readonly kind: 'PlanMade'; readonly plan: SweepPlan }
  | { readonly kind: 'StepSent'; readonly pod: PodRef; readonly container: string; readonly attempt: Attempt }
  | { readonly kind: 'PodConcluded'; readonly conclusion: PodConclusion }
  | { readonly kind: 'Warned'; readonly warning: Warning }
  | { readonly kind: 'Stopping'; readonly reason: StopReason }
  | { readonly kind: 'SweepFinished'; readonly at: Millis };

/** An item of a list that is not a pod one could judge. */
export interface MalformedPod {
  readonly namespace: string;
  readonly name: string;
  readonly problem: string;
}
