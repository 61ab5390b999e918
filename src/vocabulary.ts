/**
 * The domain types, in the order of the pipeline: list, judge, plan, apply, report. Types that appear in JSON
 * reports are inferred from their schemas, so that the two cannot differ. Steps are defined in `methods/`,
 * policies in `policy/`, plans in `plan/`, and events in `events.ts`.
 */
import * as z from 'zod';
import type { Millis } from './duration.ts';
import {
  container,
  exitCode,
  image,
  key,
  message,
  method,
  milliseconds,
  namespace,
  problem,
} from './fields.ts';

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** The type that a schema describes, deeply readonly. */
export type Value<S extends z.ZodType> = DeepReadonly<z.infer<S>>;

// ---- list -------------------------------------------------------------------------------------------------

export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

export interface PodRef extends PodName {
  readonly uid: string;
}

/** The facts about a pod that decisions depend on. The API object itself never leaves `kube/`. */
export interface PodView {
  readonly ref: PodRef;
  readonly node: string | undefined;
  readonly phase: string;
  /** `status.reason`: why the pod is in its current state, such as `Evicted`. */
  readonly reason: string | undefined;
  readonly deleting: boolean;
  /** Whether it has the condition `DisruptionTarget`: it is drained, preempted or evicted. */
  readonly disrupted: boolean;
  readonly restartPolicy: RestartPolicy;
  /** Which processes a container of the pod sees: its own, the pod's (PID 1 is pause) or the node's. */
  readonly processNamespace: 'Container' | 'Pod' | 'Node';
  /** Whether its loopback interface is the node's. */
  readonly hostNetwork: boolean;
  /** The operating system that the pod requires of its node. */
  readonly os: string | undefined;
  /** `terminationGracePeriodSeconds`; 30 seconds if unset. */
  readonly grace: Millis;
  readonly owner: Owner | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** The names of its `imagePullSecrets`. */
  readonly pullSecrets: readonly string[];
  /** What the scheduler reserves for the pod on its node. */
  readonly requests: Resources;
  readonly annotations: Readonly<Record<string, string>>;
  /** The regular containers, in the order of the spec. */
  readonly containers: readonly ContainerView[];
  readonly nativeSidecars: readonly NativeSidecarView[];
  /** Those that run to completion before the regular containers start. */
  readonly initContainers: readonly InitContainerView[];
  /** Restarts of all init and regular containers, which a Job adds up under OnFailure. */
  readonly restarts: number;
  readonly ephemeralContainers: readonly string[];
  /** Undefined unless Argo Workflows created the pod. */
  readonly argo: ArgoView | undefined;
  /** What is wrong with the container statuses; empty if there is exactly one for every container. */
  readonly statusProblems: readonly string[];
  /** Whether the pod still has the job-tracking finalizer, so its Job has not counted it yet. */
  readonly awaitsJobTracking: boolean;
}

/** CPU in cores, memory in bytes. */
export interface Resources {
  readonly cpu: number;
  readonly memory: number;
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

/** The object that controls a pod. */
export interface Owner {
  /** The API group without its version: `batch` for Jobs, empty for the core. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface ContainerView {
  readonly name: string;
  readonly image: string;
  /** `command` and `args` of the spec; undefined if the image's own apply. */
  readonly command: readonly string[] | undefined;
  readonly args: readonly string[] | undefined;
  /** Where volumes are mounted: files below these paths do not come from the image. */
  readonly mounts: readonly string[];
  readonly pullPolicy: string;
  /** The environment variables that have a literal value in the spec. */
  readonly env: Readonly<Record<string, string>>;
  /** The container's own policy (Kubernetes 1.34+), which overrides the pod's. */
  readonly restartPolicy: RestartPolicy | undefined;
  readonly restartRules: readonly RestartRule[];
  readonly swapSigns: readonly SwapSign[];
  readonly state: ContainerState;
  /** The container ID of the instance that `state` describes. */
  readonly id: string | undefined;
  /** The image of that container, as the runtime names it. */
  readonly ranImage: string | undefined;
  readonly restartCount: number;
  /** How the previous instance ended, and when. */
  readonly lastExitCode: number | undefined;
  readonly lastFinishedAt: Millis | undefined;
}

/** Why a swap of a container's image may behave differently from those that were recorded. */
export type SwapSign = 'PostStart' | 'Probes' | 'Resize';

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

/** A restart rule (`restartPolicyRules`): exit codes that restart the container, whatever its policy. */
export interface RestartRule {
  /** `Restart`, or since Kubernetes 1.35 `RestartAllContainers`, which restarts the mains too. */
  readonly action: string;
  readonly operator: 'In' | 'NotIn';
  readonly exitCodes: readonly number[];
}

/** A pod that Argo Workflows created. */
export interface ArgoView {
  /** The containers of its template, which do the work; undefined if the pod does not name them. */
  readonly mains: readonly string[] | undefined;
}

export interface InitContainerView {
  readonly name: string;
  readonly image: string;
  readonly state: ContainerState;
}

export interface NativeSidecarView extends InitContainerView {
  /** Whether it has passed its startup probe, or runs without one. */
  readonly started: boolean;
  readonly restartCount: number;
  /** How long its startup probe may take until the kubelet kills it; undefined if it has none. */
  readonly startupLimit: Millis | undefined;
}

/** Which pods to examine. An empty list of namespaces means all. */
export interface Scope {
  readonly namespaces: readonly string[];
  /** Left out of all namespaces. */
  readonly excludeNamespaces?: readonly string[];
  /** Only namespaces with these labels. */
  readonly namespaceSelector?: string | undefined;
  readonly labelSelector: string | undefined;
  /** Whether to examine Pending pods too, whose sidecars may never have started. */
  readonly includePending?: boolean;
  readonly shard?: Shard | undefined;
}

/** One of several parts of a cluster's pods, counted from 0. A hash of its uid puts a pod into a part. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** A list item that is not a valid pod. */
export interface MalformedPod {
  readonly namespace: string;
  readonly name: string;
  readonly problem: string;
}

// ---- judge ------------------------------------------------------------------------------------------------

export const evidence = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('Annotation'), key }).describe('an annotation of the pod names it'),
    z
      .object({ kind: z.literal('NotListedAsMain'), key })
      .describe('an annotation of the pod lists its main containers, but not this one'),
    z
      .object({ kind: z.literal('Variable'), name: z.string().describe('the name of the variable') })
      .describe('an environment variable of the container shows it'),
    z
      .object({ kind: z.literal('InjectionStatus'), key })
      .describe('the injector recorded in this annotation that it added the container'),
    z
      .object({ kind: z.literal('ArgoWorkflow') })
      .describe(
        "in a pod of Argo Workflows, the template's containers and `wait` are mains and all others are sidecars",
      ),
    z
      .object({
        kind: z.literal('Platform'),
        platform: z.enum(['Airflow', 'Flyte', 'Spark']).describe('the platform'),
      })
      .describe('the platform that created the pod waits for this container'),
    z
      .object({ kind: z.literal('KillCommand'), key })
      .describe('an annotation of the pod holds a kill command or steps for this container'),
    z
      .object({ kind: z.literal('NotInJobTemplate'), job: z.string().describe('the name of the Job') })
      .describe("the owning Job's template does not contain it, so an admission webhook added it"),
    z
      .object({ kind: z.literal('DefaultContainer') })
      .describe('the annotation kubectl.kubernetes.io/default-container names it'),
    z
      .object({ kind: z.literal('Rule'), rule: z.string().describe('the name of the rule') })
      .describe('a rule of the policy matches it'),
    z
      .object({ kind: z.literal('Catalogue'), profile: z.string().describe('the name of its profile') })
      .describe('its name and image match a known sidecar'),
    z
      .object({ kind: z.literal('SwappedImage') })
      .describe(
        "it ran before, and cannot start with the policy's own no-op image: a sweep swapped its image",
      ),
    z
      .object({ kind: z.literal('NoEvidence') })
      .describe('nothing marks it as a sidecar, so it counts as a main'),
  ])
  .describe('why a container counts as a main or a sidecar');
export type Evidence = Value<typeof evidence>;

export const exclusion = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('OwnPod') }).describe('the sweeper itself runs in this pod'),
    z
      .object({ kind: z.literal('SystemNamespace') })
      .describe('kube-system, kube-public or kube-node-lease, unless it is named explicitly'),
    z
      .object({
        kind: z.literal('NamespaceNotSelected'),
        by: z
          .enum(['Exclusion', 'Selector'])
          .describe('Exclusion: it is excluded by name; Selector: the selector does not match it'),
      })
      .describe('--exclude-namespace, --namespace-selector or the policy leaves its namespace out'),
    z
      .object({ kind: z.literal('NamespaceOptedOut'), key })
      .describe('an annotation of its namespace opts out all pods there'),
    z
      .object({ kind: z.literal('NamespaceUnreadable'), problem })
      .describe('its namespace cannot be read, so its owner may have opted out'),
    z.object({ kind: z.literal('OptedOut'), key }).describe('an annotation opts it out'),
    z
      .object({ kind: z.literal('UnreadableAnnotation'), key, problem })
      .describe('an annotation for the sweeper cannot be read'),
    z
      .object({
        kind: z.literal('OverBound'),
        what: z.string().describe('what there is too much of'),
        most: z.int().describe('the most that the sweeper allows'),
      })
      .describe('it has more of something than the sweeper reads; nothing else about it was examined'),
    z
      .object({ kind: z.literal('NothingEnded') })
      .describe('none of its containers has ended; nothing else about it was examined'),
    z.object({ kind: z.literal('StaticPod') }).describe('a static pod, which only its kubelet manages'),
    z.object({ kind: z.literal('Windows') }).describe('it runs on Windows, which has no signals'),
    z
      .object({
        kind: z.literal('NodeNotReady'),
        node: z.string().describe('the name of the node'),
        reason: z.string().describe('the reason of its Ready condition, or NodeGone or NodeLost'),
      })
      .describe('its node is not ready, so its containers cannot be reached and its status is out of date'),
    z.object({ kind: z.literal('BeingDeleted') }).describe('it is already being deleted'),
    z
      .object({
        kind: z.literal('NotRunning'),
        phase: z.string().describe('its phase'),
        reason: z.string().optional().describe('why, as its status puts it, such as Evicted'),
      })
      .describe('it has ended, or has not started'),
    z.object({ kind: z.literal('NoSidecar') }).describe('no container is known to be a sidecar'),
    z
      .object({ kind: z.literal('NoRunningSidecar') })
      .describe('it has sidecars, but none of them is running'),
    z.object({ kind: z.literal('NoMain') }).describe('every container is a sidecar'),
    z.object({ kind: z.literal('MainRunning'), container }).describe('a main is still running'),
    z
      .object({
        kind: z.literal('MainWaiting'),
        container,
        reason: z.string().describe('why, as the kubelet puts it; "no status" if it says nothing about it'),
      })
      .describe('a main is waiting to start'),
    z
      .object({ kind: z.literal('MainWillRestart'), container, exitCode })
      .describe('it ended, and the kubelet will restart it'),
    z
      .object({
        kind: z.literal('RestartsOthers'),
        container,
        action: z.string().describe('what the rule does, such as RestartAllContainers'),
      })
      .describe('when this container ends, one of its restart rules restarts other containers'),
    z
      .object({
        kind: z.literal('TooYoung'),
        ageMs: z.int().describe('how long ago that was, in milliseconds'),
      })
      .describe('the last main ended less than --min-age ago'),
    z.object({ kind: z.literal('AgeUnknown') }).describe('it is unknown when the last main ended'),
  ])
  .describe('why a pod is left alone; docs/reasons/<kind>.md explains what it means and what to do');
export type Exclusion = Value<typeof exclusion>;

export const hang = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('RestartPolicyDropped'),
        container,
        profile: z.string().optional().describe('the profile of the known sidecar'),
        job: z.string().optional().describe('the Job whose template has it as a native sidecar'),
      })
      .describe(
        'a native sidecar lost its restartPolicy: Always on its way into the pod, so the mains wait for it to end',
      ),
    z
      .object({
        kind: z.literal('StartupProbeStopped'),
        container,
        restartCount: z.int().describe('how often it was restarted'),
      })
      .describe('the kubelet no longer runs the startup probe of a native sidecar, so the mains never start'),
    z
      .object({ kind: z.literal('MainNotRestarted'), container, exitCode })
      .describe(
        'a main ended and is due to be restarted, but the kubelet does not restart it, although its node is ready',
      ),
    z
      .object({
        kind: z.literal('ProxyEndedFirst'),
        container,
        main: z.string().describe('the name of the main'),
      })
      .describe('the proxy through which a main connects has ended, but the main is still running'),
    z
      .object({
        kind: z.literal('NativeSidecarRunsOn'),
        container,
        graceMs: z.int().describe('the grace period of the pod, in milliseconds'),
      })
      .describe(
        'all mains have ended, but a native sidecar is still running; the kubelet waits for it until the grace period is over',
      ),
  ])
  .describe(
    'why a pod hangs for a reason that a sweep does not cure; docs/reasons/<kind>.md explains what it means and what to do',
  );
export type Hang = Value<typeof hang>;

export const remark = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('UnknownContainer'), key, container })
      .describe('an annotation names a container that the pod does not have'),
    z
      .object({ kind: z.literal('NamedAsBoth'), container })
      .describe('one annotation calls it a main, another a sidecar'),
    z
      .object({ kind: z.literal('Unreadable'), key, problem })
      .describe('an annotation or variable cannot be read and was ignored'),
    z
      .object({ kind: z.literal('LeftOut'), remarks: z.int().describe('how many') })
      .describe('how many more remarks there are about the pod'),
  ])
  .describe("something odd about the pod's own annotations");
export type Remark = Value<typeof remark>;

/** Which kill commands in annotations are run: none, those that match a pattern, or all. */
export type AnnotationCommands =
  | { readonly kind: 'Off' }
  | { readonly kind: 'Allowlist'; readonly patterns: readonly (readonly string[])[] }
  | { readonly kind: 'Any' };

/** Whether a step may make a sidecar exit uncleanly if a Job would then run finished work again. */
export type UncleanExit = 'canary' | 'allow' | 'forbid';

/** What judging and planning need besides the pod; read beforehand, as far as needed and permitted. */
export interface Facts {
  /** Names of the containers in a Job's template, by the Job's uid. */
  readonly jobContainers: ReadonlyMap<string, readonly string[]>;
  /** Names of the native sidecars in a Job's template, by the Job's uid. */
  readonly jobNativeSidecars: ReadonlyMap<string, readonly string[]>;
  /** Why a node is not ready, by its name; only nodes that are known not to be. */
  readonly unreadyNodes: ReadonlyMap<string, string>;
  /** The operating system and architecture of nodes that are ready, by their name. */
  readonly platforms: ReadonlyMap<string, string>;
  /** The namespaces that were read, by their name. */
  readonly namespaces: ReadonlyMap<string, NamespaceReading>;
  /** Those that the selector of namespaces selects; undefined if there is none. */
  readonly selectedNamespaces: ReadonlySet<string> | undefined;
  /** The pod that this process runs in. */
  readonly self: PodName | undefined;
}

export type Role = 'Main' | 'Sidecar';

/** What one source of evidence says about a container. */
export interface Statement {
  readonly role: Role;
  readonly because: Evidence;
}

export interface JudgedContainer extends Statement {
  readonly container: ContainerView;
}

/** A main container that has ended for good. */
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
  /** When the last main ended; the pod has been stuck since then. */
  readonly mainsEndedAt: Millis;
  readonly remarks: readonly Remark[];
}

/** A pod that is stuck on a sidecar that never started, so there is no process to signal. */
export interface NeverStarted extends Omit<Candidate, 'kind'> {
  readonly kind: 'NeverStarted';
}

/** A pod that is stuck on a sidecar that has ended and cannot start again, as after a swap for an image that is missing. */
export interface NotStartedAgain extends Omit<Candidate, 'kind'> {
  readonly kind: 'NotStartedAgain';
}

export interface Excluded {
  readonly kind: 'Excluded';
  readonly pod: PodView;
  readonly because: readonly Exclusion[];
  readonly remarks: readonly Remark[];
}

/** A pod that hangs for a reason that a sweep does not cure. It is reported, and left alone. */
export interface Hanging extends Omit<Excluded, 'kind'> {
  readonly kind: 'Hanging';
  readonly hang: Hang;
  readonly since: Millis;
}

export type Verdict =
  | Candidate
  | NeverStarted
  | NotStartedAgain
  | Hanging
  | Excluded
  | {
      readonly kind: 'Undecided';
      readonly pod: PodView;
      readonly problem: string;
      /** The stack of an error in judging; undefined if the pod itself is inconsistent. */
      readonly stack?: string | undefined;
    };

/** The result of one check. The pod passes if nothing is found. */
export interface Checked {
  readonly kind: Exclusion['kind'];
  readonly found: readonly Exclusion[];
}

/** The verdict on a pod, and how it came about. */
export interface Explanation {
  readonly verdict: Verdict;
  readonly containers: readonly ExplainedContainer[];
  /** The result of every check; empty if the pod cannot be judged. */
  readonly checks: readonly Checked[];
}

export interface ExplainedContainer {
  readonly container: ContainerView;
  /** Every statement about it; the first one decides. */
  readonly evidence: readonly [Statement, ...Statement[]];
}

// ---- plan -------------------------------------------------------------------------------------------------

/** Where a step comes from. */
export const stepSource = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('Annotation'), key }).describe("the pod's own annotation asks for it"),
    z
      .object({ kind: z.literal('Profile'), profile: z.string().describe('the name of the profile') })
      .describe('it comes from a profile of the catalogue or the policy'),
    z.object({ kind: z.literal('Default') }).describe('tried on any sidecar'),
    z
      .object({ kind: z.literal('Swap') })
      .describe('allowed by --noop-image or the policy, before any step whose end is uncertain'),
    z.object({ kind: z.literal('LastResort') }).describe('asked for by --last-resort or the policy'),
  ])
  .describe('where the step comes from');
export type StepSource = Value<typeof stepSource>;

/** A step that was not planned, because it cannot work or is not allowed. */
export const unfit = z
  .object({
    method,
    reason: z
      .enum([
        'NotShown',
        'ShownOtherwise',
        'Off',
        'NotAllowed',
        'NoPermission',
        'SeesTheNode',
        'NoPath',
        'RestartsAlways',
        'WouldFailJob',
        'NotAdmitted',
        'OverBound',
      ])
      .describe('explained in docs/report.md'),
    detail: z.string().describe('what the reason is about: a permission, a path, an annotation'),
    does: z.string().optional().describe('the step in words, if only the permission is missing'),
  })
  .describe('a step that was not planned, and why');
export type Unfit = Value<typeof unfit>;

/** What planning knows of the Job that owns a pod. */
export type JobFacts =
  | {
      readonly kind: 'Known';
      readonly job: JobView;
      /** Restarts of all its pods that have not ended: what the Job compares with its backoffLimit. */
      readonly restarts: number;
    }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Unreadable' };

export const uncleanCost = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('Nothing') }).describe('no finished work depends on it'),
    z
      .object({ kind: z.literal('Restart') })
      .describe('the kubelet restarts the sidecar, and its Job counts the restart'),
    z.object({ kind: z.literal('AnotherRun') }).describe('the Job runs finished work again'),
    z.object({ kind: z.literal('Index') }).describe('the index of an indexed Job fails for good'),
    z
      .object({
        kind: z.literal('Job'),
        because: z
          .enum(['NoRetriesLeft', 'FailurePolicy', 'JobUnreadable', 'ArgoWorkflow', 'OtherOwner', 'Platform'])
          .describe(
            'NoRetriesLeft: its backoffLimit is used up; FailurePolicy: its podFailurePolicy fails it; JobUnreadable: it cannot be read; ArgoWorkflow: Argo Workflows owns the pod; OtherOwner: the owner is not a Job; Platform: the pod has no owner, but the platform that created it judges the work by its phase',
          ),
      })
      .describe(
        'the Job, workflow or other owner fails for good, or may do so; with Platform, the platform may count the work as failed',
      ),
  ])
  .describe('what it costs if a sidecar of this pod exits with a non-zero code');
export type UncleanCost = Value<typeof uncleanCost>;

/** What the guard decides about a step before anything is sent. */
export const clearance = z
  .enum(['Free', 'Canary', 'Follower', 'KnownUnclean', 'Forbidden'])
  .describe(
    'Free: sent at once; Canary: sent first to one of the pods that are started alike; Follower: sent only after such a canary has ended with 0, because this pod has more to lose than another run; KnownUnclean: held, because the sidecar is known to exit uncleanly; Forbidden: held by --unclean-exit=forbid',
  );
export type Clearance = Value<typeof clearance>;

export const skipReason = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('BadKillCommand'), key, problem })
      .describe('the annotation cannot be read; nothing else is tried'),
    z
      .object({ kind: z.literal('CommandNotAllowed'), key })
      .describe('the annotation asks for something that is not on the allowlist; nothing else is tried'),
    z
      .object({ kind: z.literal('RestartsAlways') })
      .describe('the kubelet restarts it however it ends, and no step that ends the pod is allowed'),
    z
      .object({ kind: z.literal('HostPID') })
      .describe("the pod's own command is not run, because PID 1 is the node's init process"),
    z
      .object({
        kind: z.literal('OverBound'),
        what: z.string().describe('what there is too much of'),
        most: z.int().describe('the most that the sweeper allows'),
      })
      .describe('the pod asks for more than the sweeper does for one pod'),
    z.object({ kind: z.literal('NoWay') }).describe('the pod shows that none of the steps can work'),
    z
      .object({ kind: z.literal('NoLongerCandidate'), because: z.array(exclusion) })
      .describe('the pod changed before anything was sent, and is no longer stuck'),
    z.object({ kind: z.literal('Undecided'), problem }).describe('planning for it failed with an error'),
    z
      .object({ kind: z.literal('NotRunning'), state: z.string().describe('its state, such as Waiting') })
      .describe('the sidecar is waiting to start or to be restarted'),
  ])
  .describe('why nothing was sent');
export type SkipReason = Value<typeof skipReason>;

export const prediction = z
  .object({
    exitCode: z.int().optional().describe('the exit code of the last sidecar; missing if unknown'),
    phase: z.enum(['Succeeded', 'Failed', 'Running', 'Unknown']).describe('the phase that the pod will have'),
    job: z
      .enum(['NoJob', 'Completes', 'RunsAgain', 'IndexFails', 'Fails', 'StaysActive', 'Unknown'])
      .describe('what its Job will do'),
  })
  .describe('what will become of the pod if the first step that is not held works');
export type Prediction = Value<typeof prediction>;

// ---- apply ------------------------------------------------------------------------------------------------

/** The result of reading a pod. */
export type PodReading =
  | { readonly kind: 'Present'; readonly pod: PodView; readonly asOf: Millis | undefined }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Replaced'; readonly uid: string }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

/** What a read of the pod shows about one instance of a container. */
export type Observation =
  | {
      readonly kind: 'Exited';
      readonly exitCode: number;
      readonly signal: number | undefined;
      readonly finishedAt: Millis | undefined;
    }
  | {
      readonly kind: 'Running';
      /** The no-op image is running. */
      readonly swapped?: true;
    }
  /** It ended after an image swap, and the new image does not start. */
  | { readonly kind: 'NotStarted'; readonly reason: string }
  | { readonly kind: 'Restarted'; readonly exitCode: number | undefined; readonly restartCount: number }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Replaced'; readonly uid: string }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export const stopReason = z
  .enum(['Deadline', 'Signal', 'LockLost', 'Declined', 'InternalError'])
  .describe(
    'why the sweep stopped early; Declined: the user was asked and did not say yes; InternalError: a defect of the sweeper, which the log describes',
  );
export type StopReason = Value<typeof stopReason>;

export const capReason = z
  .enum(['OverMaxPods', 'OverMaxPodsPerNamespace', 'OverMaxPodsPerNode'])
  .describe('the cap that left it for the next sweep');
export type CapReason = Value<typeof capReason>;

export const notAttemptedReason = z
  .enum(['DryRun', 'Braked', 'NodeUnreachable', ...capReason.options, ...stopReason.options])
  .describe(
    'why the sweep did not act on it; NodeUnreachable: its node did not answer for three other pods in a row',
  );
export type NotAttemptedReason = Value<typeof notAttemptedReason>;

export const heldReason = z
  .enum([
    'KnownUnclean',
    'CanaryEndedUnclean',
    'CanaryNotEnded',
    'EarlierUnclean',
    'Forbidden',
    'NobodyGoesFirst',
    'ManyEndedUnclean',
    'NoRoomInJob',
    'NoopDoesNotStart',
  ])
  .describe('why a step was held: it could make finished work run again or harm its pod');
export type HeldReason = Value<typeof heldReason>;

export const keptLog = z
  .object({
    lines: z.array(z.string()).describe('its last lines, made printable; long ones are cut'),
    problem: z.string().optional().describe('why it could not be read'),
  })
  .describe("the end of the sidecar's log, read before its image was swapped");
export type KeptLog = Value<typeof keptLog>;

/** The result of one request. Only a read of the pod shows what became of the container. */
export const attemptResult = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('Accepted'), message: message.optional() })
      .describe('the request succeeded, which does not prove that anything ended'),
    z
      .object({ kind: z.literal('Failed'), message })
      .describe('the command ran and exited with a code other than 0'),
    z
      .object({ kind: z.literal('Unconfirmed'), message })
      .describe('it may or may not have arrived, and may have ended the container; the pod shows which'),
    z
      .object({ kind: z.literal('NotThere'), message })
      .describe("the container was not found running; the pod's status may show this only later"),
    z.object({ kind: z.literal('Refused'), message }).describe('a permission is missing'),
    z
      .object({ kind: z.literal('NoSuchProgram'), program: z.string().describe('the program'), message })
      .describe('the image does not have this program'),
    z
      .object({ kind: z.literal('Unsupported'), message })
      .describe('the sidecar, the node or the API server does not support this'),
    z
      .object({ kind: z.literal('Immune'), message })
      .describe('no signal can affect the process, so none was sent'),
    z.object({ kind: z.literal('Held'), reason: heldReason }).describe('not sent, to protect finished work'),
    z
      .object({
        kind: z.literal('Busy'),
        message,
        retryAfterMs: milliseconds
          .optional()
          .describe('how long it asked to wait, in milliseconds; missing if it did not say'),
      })
      .describe('the API server asked to try again later'),
    z
      .object({
        kind: z.literal('Undelivered'),
        message,
        noUpgrade: z
          .literal(true)
          .optional()
          .describe(
            'every try was answered with a refusal to upgrade the connection; a step that needs no upgrade may follow',
          ),
      })
      .describe('the request did not arrive'),
  ])
  .describe('the result of one request');
export type AttemptResult = Value<typeof attemptResult>;

export const stillRunningBecause = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('CarriesOthers') })
      .describe('other sidecars that may talk through it are still running, so it was not asked to end'),
    z.object({ kind: z.literal('Outlived') }).describe('it outlived every step that was taken'),
    z
      .object({ kind: z.literal('LastResortDue') })
      .describe(
        'only a last resort can end it, and that waits until the other sidecars have outlived their steps',
      ),
    z
      .object({ kind: z.literal('UnderWay') })
      .describe('a step was sent that may still work, but the sweep did not wait any longer'),
    z
      .object({ kind: z.literal('SwapUnderWay') })
      .describe('its image was swapped, but the kubelet has not replaced the container yet'),
    z
      .object({ kind: z.literal('Held'), reason: heldReason })
      .describe('ending it could make finished work run again'),
    z.object({ kind: z.literal('Refused'), message }).describe('a permission is missing'),
    z
      .object({ kind: z.literal('NoSuchProgram'), program: z.string().describe('the program') })
      .describe('the image does not have this program, which is often the shell'),
    z
      .object({ kind: z.literal('Unsupported'), message })
      .describe('the sidecar, the node or the API server does not support this'),
    z.object({ kind: z.literal('Immune'), message }).describe('no signal affects its process'),
    z.object({ kind: z.literal('Undelivered'), message }).describe('no request reached it'),
  ])
  .describe('why the container is still running');
export type StillRunningBecause = Value<typeof stillRunningBecause>;

export const containerOutcome = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('Stopped'),
        exitCode,
        signal: z.int().optional().describe('the number of the signal that ended it; missing if none did'),
      })
      .describe('the sweep ended it'),
    z.object({ kind: z.literal('AlreadyEnded'), exitCode }).describe('it ended before the sweep began'),
    z
      .object({ kind: z.literal('StillRunning'), because: stillRunningBecause })
      .describe('the sweep did not end it'),
    z
      .object({
        kind: z.literal('Restarted'),
        exitCode: exitCode.optional(),
        restartCount: z.int().describe('how often it has been restarted since the pod started'),
      })
      .describe('it ended, and the kubelet has restarted it or is about to'),
    z
      .object({
        kind: z.literal('NotStarted'),
        reason: z.string().describe('why, as the kubelet puts it'),
      })
      .describe('it ended after an image swap, and the no-op image does not start'),
    z.object({ kind: z.literal('Gone') }).describe('the pod no longer exists'),
    z
      .object({ kind: z.literal('Replaced'), uid: z.string().describe('the uid of the other pod') })
      .describe('another pod now has its name'),
    z.object({ kind: z.literal('Skipped'), reason: skipReason }).describe('nothing was sent'),
    z
      .object({ kind: z.literal('NotAttempted'), reason: notAttemptedReason })
      .describe('the sweep did not act on it'),
    z
      .object({ kind: z.literal('Unproven'), problem })
      .describe('the pod could not be read afterwards, or an answer contradicts its status'),
  ])
  .describe('what a read of the pod shows after the sweep acted');
export type ContainerOutcome = Value<typeof containerOutcome>;

export const jobReaction = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('NoJob') }).describe('no Job owns the pod'),
    z.object({ kind: z.literal('Complete') }).describe('it has completed'),
    z
      .object({
        kind: z.literal('Failed'),
        reason: z.string().describe('the reason of its Failed condition'),
      })
      .describe('it has failed for good'),
    z.object({ kind: z.literal('IndexFailed') }).describe("the pod's index has failed for good"),
    z
      .object({ kind: z.literal('RunsAgain') })
      .describe('the Job has started a replacement pod or is about to'),
    z.object({ kind: z.literal('Active') }).describe('it is waiting for its other pods'),
    z.object({ kind: z.literal('Gone') }).describe('it no longer exists'),
    z.object({ kind: z.literal('Unknown'), problem }).describe('the Job could not be read'),
  ])
  .describe('how the Job that owns the pod reacted');
export type JobReaction = Value<typeof jobReaction>;

export const podOutcome = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('Ended'),
        phase: z.enum(['Succeeded', 'Failed']).describe('the phase that it ended with'),
        job: jobReaction,
      })
      .describe('it has ended'),
    z.object({ kind: z.literal('Stuck') }).describe('one of its sidecars is still running, or was restarted'),
    z
      .object({ kind: z.literal('Unsettled') })
      .describe('its containers have ended, but its phase does not show it yet'),
    z
      .object({ kind: z.literal('Gone'), job: jobReaction })
      .describe('it no longer exists; only its Job shows how it ended'),
    z
      .object({ kind: z.literal('Replaced'), uid: z.string().describe('the uid of the other pod') })
      .describe('another pod now has its name'),
    z.object({ kind: z.literal('Skipped'), reason: skipReason }).describe('nothing was sent'),
    z
      .object({ kind: z.literal('NotAttempted'), reason: notAttemptedReason })
      .describe('the sweep did not act on it'),
    z
      .object({ kind: z.literal('Held'), reason: heldReason })
      .describe('left as it is, to protect finished work'),
    z
      .object({ kind: z.literal('Unproven'), problem })
      .describe('it could not be read afterwards, or an answer contradicts its status'),
  ])
  .describe('what became of the pod');
export type PodOutcome = Value<typeof podOutcome>;

export const jobHarmKind = z
  .enum(['RunsAgain', 'IndexFailed', 'JobFailed'])
  .describe('RunsAgain: finished work runs again; IndexFailed, JobFailed: it has failed for good');

export const harmKind = z
  .enum([...jobHarmKind.options, 'PodFailed'])
  .describe(
    'RunsAgain: finished work runs again; IndexFailed, JobFailed: it has failed for good; PodFailed: no Job owns the pod, and its platform or its owner may count the work as failed, or run it again',
  );
export type HarmKind = Value<typeof harmKind>;

export const harm = z
  .object({
    kind: harmKind,
    permitted: z.boolean().describe('whether --unclean-exit=allow permitted it'),
  })
  .describe('what this sweep did to the work of a pod whose mains had all exited 0');
export type Harm = Value<typeof harm>;

// ---- answers of the cluster -------------------------------------------------------------------------------

/** Why a request failed; `message` is one line for people. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly message: string;
  /** Another try may soon succeed. Missing if waiting does not help. */
  readonly isFleeting?: true;
}

export type ProblemKind =
  | 'Unreachable'
  | 'TimedOut'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'Rejected'
  | 'Malformed'
  /** Larger than anything of its kind should be. */
  | 'TooLarge'
  | 'Interrupted'
  /** A defect, not an answer of the cluster. */
  | 'InternalError';

export interface JobView {
  /** Names of the containers in its template. */
  readonly containers: readonly string[];
  /** Names of the native sidecars in its template. */
  readonly nativeSidecars: readonly string[];
  readonly complete: boolean;
  /** The reason of its Failed condition; undefined if it has not failed. */
  readonly failed: string | undefined;
  /** Uids of ended pods that its counters do not include yet. */
  readonly uncounted: readonly string[];
  readonly backoffLimit: number;
  /** How many pods have failed, including those that its counter does not include yet. */
  readonly failedPods: number;
  /** The first and last index of each range of `status.failedIndexes`. */
  readonly failedIndexes: readonly (readonly [first: number, last: number])[];
  /** With `backoffLimitPerIndex`, each index has its own retries. */
  readonly perIndex: IndexLimits | undefined;
  /** `podFailurePolicy`, as far as it is about exit codes; the first rule that matches decides. */
  readonly failureRules: readonly FailureRule[];
}

export interface IndexLimits {
  /** Failures after which an index fails, besides the first. */
  readonly retries: number;
  /** `maxFailedIndexes`: if more indexes fail, the whole Job does at once. */
  readonly maxFailed: number | undefined;
  readonly failed: number;
}

/** A rule of a Job's `podFailurePolicy`. */
export interface FailureRule {
  /** `FailJob`, `FailIndex`, `Ignore` or `Count`. */
  readonly action: string;
  /** The container that it is about; undefined means any. */
  readonly container: string | undefined;
  readonly operator: 'In' | 'NotIn';
  readonly exitCodes: readonly number[];
}

export type NodeReading =
  /** Its operating system and architecture, such as `linux/arm64`. */
  | { readonly kind: 'Ready'; readonly platform: string }
  /** Its Ready condition is not True, or the Node is gone; its containers cannot be reached. */
  | { readonly kind: 'NotReady'; readonly reason: string }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export type NamespaceReading =
  | {
      readonly kind: 'Present';
      readonly annotations: Readonly<Record<string, string>>;
      readonly uid?: string;
    }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

/** Continues a list; undefined begins it, and comes with its last page. */
export type PageToken = string | undefined;

/** A part of a list. */
export type ObjectPage<T> =
  | { readonly kind: 'Page'; readonly items: readonly T[]; readonly token: PageToken }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export interface ListedJob {
  readonly name: string;
  readonly uid: string;
  readonly job: JobView;
}

export interface ListedNode {
  readonly name: string;
  readonly reading: NodeReading;
}

export interface ListedNamespace {
  readonly name: string;
  readonly reading: NamespaceReading;
}

// ---- report -----------------------------------------------------------------------------------------------

export interface RunInfo {
  readonly id: string;
  readonly version: string;
  readonly dryRun: boolean;
  readonly context: string;
  readonly server: string;
  /** What the operator calls the cluster. */
  readonly clusterName?: string;
}

export const warning = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('ListInconsistent') })
      .describe(
        'a continue token expired while pods were listed, so pods that changed meanwhile may be missing or out of date',
      ),
    z
      .object({
        kind: z.literal('JobsUnreadable'),
        namespaces: z.array(z.string()).describe('the namespaces'),
        message,
      })
      .describe('it is unknown what the Jobs in these namespaces did and which containers were injected'),
    z
      .object({ kind: z.literal('NodesUnreadable'), message })
      .describe('pods on nodes that are not ready are not recognised'),
    z
      .object({ kind: z.literal('Unlocked'), message })
      .describe('no Lease kept other sweeps from running at the same time'),
    z
      .object({
        kind: z.literal('NoPermission'),
        method,
        namespace: namespace.optional(),
        needs: z.string().describe('the permission, as RBAC names it'),
      })
      .describe('a method was left out because the account lacks the permission in `needs`'),
    z
      .object({
        kind: z.literal('Held'),
        image,
        method,
        reason: heldReason,
        pods: z.int().describe('how many pods'),
      })
      .describe('pods were left as they are, because their sidecar would, or could, exit uncleanly'),
    z
      .object({
        kind: z.literal('NoopMayNotStart'),
        noop: z.string().describe('the no-op image'),
        image,
        program: z.string().describe('what they would run'),
        containers: z.int().describe('how many containers'),
      })
      .describe('containers set a command that the no-op image is not known to have'),
    z
      .object({
        kind: z.literal('Braked'),
        pods: z
          .int()
          .describe('how many pods the sweep would act on (brakePods) or the plan is for (brakeShare)'),
        listed: z.int().describe('how many pods were listed'),
        limit: z.enum(['brakePods', 'brakeShare']).describe('the limit that was exceeded'),
        most: z.number().describe('the limit: a number of pods, or percent of the pods listed'),
        rule: z.string().optional().describe('the rule of the policy that made most of them candidates'),
        byRule: z.int().optional().describe('how many of them'),
      })
      .describe('the plan is for more pods than expected, so nothing was sent'),
    z
      .object({
        kind: z.literal('JobHarmed'),
        namespace,
        name: z.string().describe('the pod, which may be gone'),
        job: z.string().describe('the name of the Job'),
        harm: jobHarmKind,
      })
      .describe(
        'the mains succeeded, but because of this sweep the Job runs again, or the Job or one of its indexes has failed',
      ),
    z
      .object({
        kind: z.literal('PodHarmed'),
        namespace,
        name: z.string().describe('the pod, which may be gone'),
      })
      .describe(
        'the mains succeeded, but by an act of this sweep the pod has failed, and its platform or its owner may count the work as failed, or run it again',
      ),
    z
      .object({
        kind: z.literal('BackoffLimitRaised'),
        namespace,
        job: z.string().describe('the name of the Job'),
        from: z.int().describe('the limit that it had'),
        to: z.int().describe('the limit that it has now'),
      })
      .describe('the Job would have counted an image swap as a restart, and failed; its limit stays raised'),
    z
      .object({ kind: z.literal('ServerUnverified'), server: z.string().describe('its URL') })
      .describe('the certificate of the API server was not checked, so it may have been an impostor'),
  ])
  .describe('what an operator should know beyond the outcomes');
export type Warning = Value<typeof warning>;
