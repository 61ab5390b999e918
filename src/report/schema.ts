import * as z from 'zod';
import { harm } from '../model/job.ts';
import {
  attemptResult,
  blockedReason,
  containerOutcome,
  keptLog,
  podOutcome,
  stopReason,
} from '../model/outcome.ts';
import {
  exitCode,
  image,
  message,
  method,
  milliseconds,
  namespace,
  problem,
  type Value,
} from '../model/schema.ts';
import { prediction, stepSource, uncleanCost, unfit } from '../model/step.ts';
import { evidence, exclusion, hang, remark } from '../model/verdict.ts';
import { warning } from '../model/warning.ts';
import { apiVersion as version } from './names.ts';

/**
 * What reports contain beyond the model. The JSON Schemas are generated from here.
 */
export const time = z.iso.datetime().describe('RFC 3339, in UTC');

export const apiVersion = z.literal(version);

// ---- common to several reports ----------------------------------------------------------------------------

export const podName = z.object({ namespace, name: z.string().describe('the name of the pod') });
/** A pod and what identifies it for ever, and where it runs. */
export const podIdentity = podName.extend({
  uid: z.string().describe('the uid of the pod; a new pod of the same name has a different one'),
  node: z.string().optional().describe('the node that it runs on'),
});
export const restartPolicy = z.string().describe('the restartPolicy of the pod');
export const owner = z
  .object({
    kind: z.string().describe('its kind, such as Job'),
    name: z.string().describe('its name'),
  })
  .describe('the object that controls the pod');
export const cluster = z
  .object({
    context: z.string().describe('the context of the kubeconfig; in a pod, inClusterContext'),
    server: z.string().describe('the URL of the API server; empty if the context cannot be used'),
    name: z.string().optional().describe('clusterName of the policy'),
    uid: z
      .string()
      .optional()
      .describe('the uid of its namespace kube-system; missing if a sweep may not read that, or none did'),
  })
  .describe('the cluster');
export const listed = z.int().describe('how many pods the list returned');

export const requests = z
  .object({ cpu: z.number().describe('in cores'), memory: z.number().describe('in bytes') })
  .describe('its requests, which its node reserves until it ends');

export const page = z.string().describe('the command that explains it and says what to do');

export const scope = z
  .object({
    namespaces: z.array(z.string()).describe('the namespaces; empty means all'),
    excludeNamespaces: z
      .array(z.string())
      .optional()
      .describe('the namespaces that were left out; missing means none'),
    namespaceSelector: z.string().optional().describe('only namespaces with these labels'),
    labelSelector: z.string().optional().describe('only pods with these labels'),
    includePending: z.boolean().describe('whether pods that never started were examined'),
    minAgeMs: milliseconds.describe('how long ago the last main must have ended, in milliseconds'),
    shard: z
      .object({
        index: z.int().describe('its number, from 0'),
        of: z.int().describe('how many shards there are'),
      })
      .optional()
      .describe('which part of the pods was swept'),
    pods: z.array(z.string()).optional().describe('only these pods, as `<namespace>/<name>`'),
  })
  .describe('which pods were examined');

const waitingPod = podName.extend({
  uid: z.string().optional().describe('the uid of the pod'),
  owner: owner.optional(),
  requests: requests.optional(),
  mainsEndedAt: time.describe('when the last main container ended; the pod has been stuck since then'),
  waiting: z
    .array(
      z.object({
        name: z.string().describe('the name of the container'),
        image,
        reason: z.string().describe('why, in the words of the kubelet, such as ImagePullBackOff'),
      }),
    )
    .describe('the sidecars that are waiting'),
  remarks: z.array(remark),
});
export const neverStarted = waitingPod.describe(
  'stuck on sidecars that are waiting to start: there is no process to signal',
);
export const notStartedAgain = waitingPod.describe(
  'stuck on sidecars that ended and cannot start again, as after a swap for an image that cannot be pulled',
);

export const hanging = podName
  .extend({
    owner: owner.optional(),
    since: time.describe('when it began to hang'),
    hang,
    page,
    remarks: z.array(remark),
  })
  .describe('a pod that hangs for a reason that a sweep does not cure; it was left alone');

export const unread = z
  .array(
    z.object({
      namespace: namespace.optional().describe('the namespace; missing if it is all of them'),
      problem: z.string().describe('the kind of problem, such as Forbidden'),
      message,
      what: z
        .enum(['Namespace', 'Pod'])
        .optional()
        .describe(
          'what could not be read: the namespace itself, or the list of namespaces, or a pod that was named; missing if it is the list of pods',
        ),
    }),
  )
  .describe('the parts of the scope that could not be read, and why');

export const undecided = z
  .array(podName.extend({ problem }))
  .describe('pods whose own data is inconsistent; nothing was sent to them');

export const leftOut = z
  .object({ remarks: z.int().describe('remarks about pods'), warnings: z.int().describe('warnings') })
  .describe('how many of each the report has no room for');

/** What every report has of the pods that were listed. */
export const found = {
  unread,
  undecided,
  neverStarted: z.array(neverStarted).describe('only with --include-pending'),
  notStartedAgain: z.array(notStartedAgain),
  hanging: z.array(hanging).default([]),
  warnings: z.array(warning),
};

export const endedMain = z
  .object({
    name: z.string().describe('the name of the container'),
    image,
    because: evidence,
    exitCode,
    endedAt: time.describe('when it ended, by the kubelet'),
  })
  .describe('a main container that has ended for good');

const whyUnknown = z
  .string()
  .optional()
  .describe('why that exit code is unknown, and what to do about it; only of an image swap');

export const plannedStep = z
  .object({
    method,
    does: z.string().describe('the step in words'),
    source: stepSource,
    graceMs: milliseconds.describe('how long the sidecar is given to end, in milliseconds'),
    expectedExitCode: z
      .int()
      .optional()
      .describe('the exit code that the sidecar will end with; missing if unknown'),
    whyUnknown,
    blocked: blockedReason.optional().describe('why it is not sent; missing if it may be'),
    raisesBackoffLimit: z
      .literal(true)
      .optional()
      .describe('the backoffLimit of its Job is raised first if there is no room for the restart'),
  })
  .describe('a step of the plan, taken only if the sidecar outlives the one before');

// ---- the report of a sweep --------------------------------------------------------------------------------

export const attempt = z
  .object({
    method,
    does: z.string().describe('the step in words'),
    command: z.array(z.string()).optional().describe('the command, as it was run in the container'),
    source: stepSource,
    expectedExitCode: z
      .int()
      .optional()
      .describe('the exit code that the sidecar was to end with; missing if unknown'),
    whyUnknown,
    sentAt: time.describe('when it was sent; if it was blocked, when the run started'),
    durationMs: milliseconds.describe('how long the answer took, in milliseconds'),
    result: attemptResult,
    log: keptLog.optional().describe('what the sidecar had logged; only with keepLogs of the policy'),
  })
  .describe('a step that was sent or blocked, and what became of the request');

export const containerReport = z
  .discriminatedUnion('role', [
    endedMain.extend({ role: z.literal('Main') }).describe('a main, which has ended for good'),
    z
      .object({
        role: z.literal('Sidecar'),
        name: z.string().describe('the name of the container'),
        image,
        because: evidence,
        steps: z
          .array(plannedStep)
          .describe('the plan: each step is taken only if the sidecar outlives those before it'),
        unfit: z.array(unfit).describe('steps that were left out, and why'),
        attempts: z.array(attempt).describe('what was sent or blocked, in this order'),
        outcome: containerOutcome,
        advice: z.string().optional().describe('what to do about it, if the sweep did not end it'),
        endedAt: time.optional().describe('when the container ended, by the kubelet'),
      })
      .describe('a sidecar'),
    z
      .object({
        role: z.literal('NativeSidecar'),
        name: z.string().describe('the name of the container'),
        image,
      })
      .describe('an init container with restartPolicy Always; the kubelet ends it itself'),
  ])
  .describe('a container of a stuck pod');

export const podReport = podIdentity
  .extend({
    owner: owner.optional(),
    restartPolicy,
    mainsEndedAt: time.describe('when the last main container ended; the pod has been stuck since then'),
    requests,
    containers: z
      .array(containerReport)
      .describe('its containers: the mains, the sidecars, the native sidecars'),
    uncleanCost,
    lastResort: z
      .array(plannedStep)
      .describe('the steps for the whole pod if a sidecar outlives its own steps'),
    prediction,
    remarks: z.array(remark),
    outcome: podOutcome,
    harm: harm.optional(),
  })
  .describe('a stuck pod: what was planned, what was done, and what came of it');

export const excludedPod = podName
  .extend({ because: z.array(exclusion), remarks: z.array(remark) })
  .describe('a pod that was left alone');

const counts = z.record(z.string(), z.int());

export const excludedPods = z.int().describe('pods that were left alone');

export const excludedBecause = counts.describe(
  'pods that were left alone, by the first reason that applies, each explained in docs/reasons.md',
);

export const sweepReport = z
  .object({
    apiVersion,
    kind: z.literal('SweepReport'),
    run: z
      .object({
        id: z.string().describe('a UUID; the same in the log'),
        version: z.string().describe('the version of sidecar-sweeper'),
        startedAt: time.describe('when the sweep began, by the clock of this machine'),
        finishedAt: time.describe('when it ended, by the same clock'),
        durationMs: milliseconds.describe('how long it took, in milliseconds'),
        asOf: time
          .optional()
          .describe("the server's time when the pods were judged; missing if none was listed"),
        dryRun: z.boolean().describe('whether it was a dry run, which sends nothing'),
        stoppedEarly: stopReason.optional(),
        load: z
          .object({
            requests: z.int().describe('requests in flight, out of --concurrency'),
            requestsOfNode: z.int().describe('requests in flight through one node, out of 4'),
            silentRequests: z
              .int()
              .describe(
                'requests that waited for silent nodes, besides those of --concurrency and at most as many',
              ),
            connections: z.int().optional().describe('open connections to the API server'),
          })
          .optional()
          .describe('the most of each at any one time'),
      })
      .describe('the run of the program'),
    cluster,
    scope,
    totals: z
      .object({
        listed,
        otherShards: z.int().describe('how many of these belong to other shards'),
        excluded: excludedPods,
        excludedBecause,
        undecided: z.int().describe('pods whose own data is inconsistent'),
        neverStarted: z.int().describe('pods stuck on a sidecar that never started'),
        notStartedAgain: z.int().describe('pods stuck on a sidecar that ended and cannot start again'),
        hanging: counts
          .describe(
            'pods that hang for a reason that a sweep does not cure, by reason, each explained in docs/reasons.md',
          )
          .default({}),
        candidates: z.int().describe('pods that are stuck and that a sweep acts on'),
        remarks: counts.describe('remarks by kind, about all pods that were judged'),
        leftOut,
        pods: counts.describe('candidates by outcome'),
        sidecars: counts.describe('their sidecars by outcome'),
        stillRunning: counts.describe('sidecars that are still running, by reason'),
        leftForNext: counts.describe('candidates that a cap left for the next sweep, by cap'),
        harm: counts.describe(
          'what this sweep did to the Jobs of pods whose mains had all exited 0, by kind',
        ),
      })
      .describe('the counts'),
    ...found,
    excluded: z.array(excludedPod).optional().describe('every pod that was left alone; only with --verbose'),
    pods: z.array(podReport),
  })
  .describe('The report of one sweep');

export type PlannedStepReport = Value<typeof plannedStep>;
export type AttemptReport = Value<typeof attempt>;
export type PodReport = Value<typeof podReport>;
export type ContainerReport = Value<typeof containerReport>;
export type WaitingPodReport = Value<typeof waitingPod>;
export type HangingPodReport = Value<typeof hanging>;
export type UndecidedReport = Value<typeof undecided>[number];
export type SweepReport = Value<typeof sweepReport>;
