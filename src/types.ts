/** The words of the product, in the order of its pipeline: list, judge, plan, apply, report. */
import type { Rule } from './policy/rules.ts';
import type {
  AttemptResult,
  ContainerOutcome,
  Evidence,
  Exclusion,
  JobReaction,
  NotAttemptedReason,
  PodOutcome,
  Remark,
  SkipReason,
  StopReason,
  Warning,
} from './report/schema.ts';

export type {
  AttemptResult,
  ContainerOutcome,
  Evidence,
  Exclusion,
  JobReaction,
  NotAttemptedReason,
  PodOutcome,
  Remark,
  Rule,
  SkipReason,
  StopReason,
  Warning,
};

/** A point in time (since the epoch) or a length of it, in milliseconds. */
export type Millis = number;

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
  /** Variables whose value stands in the spec. */
  readonly env: Readonly<Record<string, string>>;
  /** The container's own policy (Kubernetes 1.34+), which overrides the pod's. */
  readonly restartPolicy: RestartPolicy | undefined;
  readonly restartRules: readonly RestartRule[];
  readonly state: ContainerState;
  /** Of the instance that `state` speaks of. */
  readonly id: string | undefined;
  readonly restartCount: number;
  /** How the instance before this one ended. */
  readonly lastExitCode: number | undefined;
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
}

/** A known sidecar: what its containers are called and which images they run. */
export interface Profile {
  readonly name: string;
  /** Names of containers; `*` stands for any characters. */
  readonly containers: readonly string[];
  /** Repositories, compared from the end of the path: `istio/proxyv2` in any registry, with any tag. */
  readonly images: readonly string[];
}

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
}

export interface PodPlan {
  readonly candidate: Candidate;
  readonly targets: readonly Target[];
}

/** A sidecar and what is to be done about it. */
export type Target = PlannedTarget | SkippedTarget;

export interface PlannedTarget {
  readonly kind: 'Planned';
  readonly container: string;
  /** Only this instance of the container is ever signalled. */
  readonly containerId: string;
  readonly steps: readonly Step[];
}

export interface SkippedTarget {
  readonly kind: 'Skipped';
  readonly container: string;
  readonly outcome: ContainerOutcome;
}

/** One request and the time to wait for its effect; data only. */
export interface Step {
  readonly method: 'Command';
  readonly command: readonly string[];
  readonly source: 'Annotation' | 'Default';
  readonly signal: number;
  readonly grace: Millis;
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
  | { readonly kind: 'Restarted'; readonly exitCode: number | undefined; readonly restartCount: number }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Replaced'; readonly uid: string }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export type Next = { readonly kind: 'Send'; readonly step: Step } | { readonly kind: 'Done' };

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
      readonly policy: Pick<Policy, 'scope' | 'minAge'>;
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
