import * as z from 'zod';
import type { Millis } from '../util/time.ts';
import type { ContainerView, PodView } from './pod.ts';
import { container, exitCode, key, kind, problem, reason, text, union, type Value, whole } from './schema.ts';

export const evidence = union('why a container counts as a main or a sidecar', [
  kind('Annotation', 'an annotation of the pod names it', { key }),
  kind('NotListedAsMain', 'an annotation of the pod lists its main containers, but not this one', { key }),
  kind('Variable', 'an environment variable of the container shows it', {
    name: text('the name of the variable'),
  }),
  kind('InjectionStatus', 'the injector recorded in this annotation that it added the container', { key }),
  kind(
    'ArgoWorkflow',
    "in a pod of Argo Workflows, the template's containers and `wait` are mains and all others are sidecars",
  ),
  kind('Platform', 'the platform that created the pod waits for this container', {
    platform: z.enum(['Airflow', 'Flyte', 'Katib', 'Spark']).describe('the platform'),
  }),
  kind('KillCommand', 'an annotation of the pod holds a kill command or steps for this container', { key }),
  kind(
    'NotInJobTemplate',
    "the owning Job's template does not contain it, so an admission webhook added it",
    {
      job: text('the name of the Job'),
    },
  ),
  kind('DefaultContainer', 'the annotation kubectl.kubernetes.io/default-container names it'),
  kind('Rule', 'a rule of the policy matches it', { rule: text('the name of the rule') }),
  kind('Catalogue', 'its name and image match a known sidecar', {
    profile: text('the name of its profile'),
  }),
  kind(
    'SwappedImage',
    "it ran before, and cannot start with the policy's own no-op image: a sweep swapped its image",
  ),
  kind('NoEvidence', 'nothing marks it as a sidecar, so it counts as a main'),
]);
export type Evidence = Value<typeof evidence>;

export type Role = 'Main' | 'Sidecar';

/** The role that one source of evidence gives a container. */
export interface Statement {
  readonly role: Role;
  readonly because: Evidence;
}

export const remark = union("something odd about the pod's own annotations", [
  kind('UnknownContainer', 'an annotation names a container that the pod does not have', {
    key,
    container,
  }),
  kind('NamedAsBoth', 'one annotation calls it a main, another a sidecar', { container }),
  kind('Unreadable', 'an annotation or variable cannot be read and was ignored', { key, problem }),
]);
export type Remark = Value<typeof remark>;

export interface JudgedContainer extends Statement {
  readonly container: ContainerView;
}

export type Sidecar = Omit<JudgedContainer, 'role'>;

export interface EndedMain {
  readonly name: string;
  readonly image: string;
  readonly because: Evidence;
  readonly exitCode: number;
  readonly endedAt: Millis;
}

/** A pod whose mains have ended, but not its sidecars. */
interface StuckPod<Kind> {
  readonly kind: Kind;
  readonly pod: PodView;
  readonly mains: readonly EndedMain[];
  readonly sidecars: readonly Sidecar[];
  /** When the last main ended; the pod has been stuck since then. */
  readonly mainsEndedAt: Millis;
}

/** A stuck pod that a sweep acts on. */
export type Candidate = StuckPod<'Candidate'>;

/** A pod that is stuck on a sidecar that never started, so there is no process to signal. */
export type NeverStarted = StuckPod<'NeverStarted'>;

/** A pod that is stuck on a sidecar that has ended and cannot start again, as after a swap for an image that is missing. */
export type NotStartedAgain = StuckPod<'NotStartedAgain'>;

interface LeftAlone {
  readonly pod: PodView;
  readonly because: readonly Exclusion[];
}

export interface Excluded extends LeftAlone {
  readonly kind: 'Excluded';
}

/** A pod that hangs for a reason that a sweep does not cure. It is reported and left alone. */
export interface Hanging extends LeftAlone {
  readonly kind: 'Hanging';
  readonly hang: Hang;
  readonly since: Millis;
}

interface Undecided {
  readonly kind: 'Undecided';
  readonly pod: PodView;
  readonly problem: string;
  /** The stack of an error in judging; undefined if the pod itself is inconsistent. */
  readonly stack?: string | undefined;
}

export type Verdict = Candidate | NeverStarted | NotStartedAgain | Hanging | Excluded | Undecided;

export const exclusion = union(
  'why a pod is left alone; docs/reasons.md explains what each means and what to do',
  [
    reason('OwnPod'),
    reason('SystemNamespace'),
    reason('NamespaceNotSelected', {
      by: z
        .enum(['Exclusion', 'Selector'])
        .describe('Exclusion: it is excluded by name; Selector: the selector does not match it'),
    }),
    reason('NamespaceOptedOut', { key }),
    reason('NamespaceUnreadable', { problem }),
    reason('OptedOut', { key }),
    reason('UnreadableAnnotation', { key, problem }),
    reason('OverBound', {
      what: text('what there is too much of'),
      most: whole('the most that the sweeper allows'),
    }),
    reason('NothingEnded'),
    reason('StaticPod'),
    reason('Windows'),
    reason('NodeNotReady', {
      node: text('the name of the node'),
      reason: text('the reason of its Ready condition, or NodeGone or NodeLost'),
    }),
    reason('BeingDeleted'),
    reason('NotRunning', {
      phase: text('its phase'),
      reason: text("why, as the pod's status puts it, such as Evicted").optional(),
    }),
    reason('NoSidecar'),
    reason('NoRunningSidecar'),
    reason('NoMain'),
    reason('MainRunning', { container }),
    reason('MainWaiting', {
      container,
      reason: text('why, as the kubelet puts it; "no status" if the kubelet has not reported on it'),
    }),
    reason('MainWillRestart', { container, exitCode }),
    reason('RestartsOthers', {
      container,
      action: text('what the rule does, such as RestartAllContainers'),
    }),
    reason('TooYoung', {
      ageMs: whole('how long ago that was, in milliseconds'),
    }),
    reason('AgeUnknown'),
  ],
);
export type Exclusion = Value<typeof exclusion>;

export const hang = union(
  'why a pod hangs for a reason that a sweep does not cure; docs/reasons.md explains what each means and what to do',
  [
    reason('RestartPolicyDropped', {
      container,
      profile: text('the profile of the known sidecar').optional(),
      job: text('the Job whose template has it as a native sidecar').optional(),
    }),
    reason('StartupProbeStopped', { container, restartCount: whole('how often it was restarted') }),
    reason('MainNotRestarted', { container, exitCode }),
    reason('ProxyEndedFirst', { container, main: text('the name of the main') }),
    reason('NativeSidecarRunsOn', {
      container,
      graceMs: whole('the grace period of the pod, in milliseconds'),
    }),
  ],
);
export type Hang = Value<typeof hang>;

/** The result of one check. The pod passes if nothing is found. */
export interface Checked {
  readonly kind: Exclusion['kind'];
  readonly found: readonly Exclusion[];
}

export interface Explanation {
  readonly verdict: Verdict;
  readonly containers: readonly ExplainedContainer[];
  /** The result of every check; empty if the pod cannot be judged. */
  readonly checks: readonly Checked[];
  readonly remarks: readonly Remark[];
}

export interface ExplainedContainer {
  readonly container: ContainerView;
  /** Every statement about it; the first one decides. */
  readonly evidence: readonly [Statement, ...Statement[]];
}
