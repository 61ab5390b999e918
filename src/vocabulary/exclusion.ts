import * as z from 'zod';
import { container, exitCode, key, problem } from '../fields.ts';
import type { Value } from './value.ts';

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
