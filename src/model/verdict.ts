import * as z from 'zod';
import type { Millis } from '../util/time.ts';
import type { Evidence, Remark, Statement } from './evidence.ts';
import type { ContainerView, PodView } from './pod.ts';
import { container, exitCode, key, problem, type Value } from './value.ts';

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
        reason: z.string().optional().describe("why, as the pod's status puts it, such as Evicted"),
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
        reason: z
          .string()
          .describe('why, as the kubelet puts it; "no status" if the kubelet has not reported on it'),
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
