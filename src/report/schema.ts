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
  container,
  exitCode,
  image,
  list,
  message,
  method,
  milliseconds,
  namespace,
  object,
  problem,
  text,
  texts,
  type Value,
  whole,
} from '../model/schema.ts';
import { prediction, stepSource, uncleanCost, unfit } from '../model/step.ts';
import { evidence, exclusion, hang, remark } from '../model/verdict.ts';
import { warning } from '../model/warning.ts';
import { apiVersion as version } from './names.ts';

export const time = z.iso.datetime().describe('RFC 3339, in UTC');

export const apiVersion = z.literal(version);

export const podName = z.object({ namespace, name: text('the name of the pod') });
export const podIdentity = podName.extend({
  uid: text('the uid of the pod; a new pod of the same name has a different one'),
  node: text('the node that it runs on').optional(),
});
export const restartPolicy = text('the restartPolicy of the pod');
export const owner = object('the object that controls the pod', {
  kind: text('its kind, such as Job'),
  name: text('its name'),
});
export const cluster = object('the cluster', {
  context: text('the context of the kubeconfig; in a pod, inClusterContext'),
  server: text('the URL of the API server; empty if the context cannot be used'),
  name: text('clusterName of the policy').optional(),
  uid: text('the uid of its namespace kube-system; missing unless a sweep read it').optional(),
});
export const requests = object('its requests, which its node reserves until it ends', {
  cpu: z.number().describe('in cores'),
  memory: z.number().describe('in bytes'),
});

export const scope = object('which pods were examined', {
  namespaces: texts('the namespaces; empty means all'),
  excludeNamespaces: texts('the namespaces that were left out; missing means none').optional(),
  namespaceSelector: text('only namespaces with these labels').optional(),
  labelSelector: text('only pods with these labels').optional(),
  includePending: z.boolean().describe('whether pods that never started were examined'),
  minAgeMs: milliseconds.describe('how long ago the last main must have ended, in milliseconds'),
  shard: object('which part of the pods was swept', {
    index: whole('its number, from 0'),
    of: whole('how many shards there are'),
  }).optional(),
  pods: texts('only these pods, as `<namespace>/<name>`').optional(),
});

const mainsEndedAt = time.describe('when the last main container ended; the pod has been stuck since then');

export const stuckPod = podIdentity.extend({
  owner: owner.optional(),
  restartPolicy,
  mainsEndedAt,
  requests,
});

const waitingPod = podName.extend({
  uid: text('the uid of the pod'),
  owner: owner.optional(),
  requests,
  mainsEndedAt,
  waiting: list(
    'the sidecars that are waiting',
    z.object({
      name: container,
      image,
      reason: text('why, in the words of the kubelet, such as ImagePullBackOff'),
    }),
  ),
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
    remarks: z.array(remark),
  })
  .describe('a pod that hangs for a reason that a sweep does not cure; it was left alone');

export const unread = list(
  'the parts of the scope that could not be read, and why',
  z.object({
    namespace: namespace.optional().describe('the namespace; missing if it is all of them'),
    problem: text('the kind of problem, such as Forbidden'),
    message,
    what: z
      .enum(['Namespace', 'Pod'])
      .optional()
      .describe(
        'what could not be read; Namespace: a namespace, or the list of namespaces; Pod: a pod that was named; missing: a list of pods',
      ),
  }),
);

export const undecided = list(
  'pods whose own data is inconsistent; nothing was sent to them',
  podName.extend({ problem }),
);

export const leftOut = object('how many remarks and warnings were left out of the report', {
  remarks: whole('remarks about pods'),
  warnings: whole('warnings'),
});

export const counts = z.record(z.string(), z.int());

/** The counts of a scan, an advice and a sweep. */
export const totals = object('the counts', {
  listed: whole('how many pods the list returned'),
  otherShards: whole('how many of these belong to other shards'),
  excluded: whole('pods that were left alone'),
  excludedBecause: counts.describe(
    'pods that were left alone, by the first reason that applies, each explained in docs/reasons.md',
  ),
  undecided: whole('pods whose own data is inconsistent'),
  neverStarted: whole('pods stuck on a sidecar that never started'),
  notStartedAgain: whole('pods stuck on a sidecar that ended and cannot start again'),
  hanging: counts.describe(
    'pods that hang for a reason that a sweep does not cure, by reason, each explained in docs/reasons.md',
  ),
  candidates: whole('pods that are stuck and that a sweep acts on'),
  leftOut,
});

/** The fields that a scan, an advice and a sweep have in common. */
export const found = {
  asOf: time.optional().describe("the server's time when the pods were judged; missing if unknown"),
  cluster,
  scope,
  unread,
  undecided,
  neverStarted: z.array(neverStarted).describe('only with --include-pending'),
  notStartedAgain: z.array(notStartedAgain),
  hanging: z.array(hanging),
  warnings: z.array(warning),
};

export const endedMain = object('a main container that has ended for good', {
  name: container,
  image,
  because: evidence,
  exitCode,
  endedAt: time.describe('when it ended, by the kubelet'),
});

const step = {
  method,
  does: text('the step in words'),
  source: stepSource,
  expectedExitCode: whole('the exit code that the sidecar ends with, as far as it is known').optional(),
  whyUnknown: text(
    'why that exit code is unknown, and what to do about it; only for an image swap',
  ).optional(),
};

export const plannedStep = object('a step of the plan, taken only if the sidecar outlives the one before', {
  ...step,
  graceMs: milliseconds.describe('how long the sidecar is given to end, in milliseconds'),
  blocked: blockedReason.optional().describe('why it is not sent; missing if it may be'),
  raisesBackoffLimit: z
    .literal(true)
    .optional()
    .describe('the backoffLimit of its Job is raised first if the restart would exceed it'),
});

export const attempt = object('a step that was sent or blocked, and what became of the request', {
  ...step,
  command: texts('the command, as it was run in the container').optional(),
  sentAt: time.describe('when it was sent; if it was blocked, when the run started'),
  durationMs: milliseconds.describe('how long the answer took, in milliseconds'),
  result: attemptResult,
  log: keptLog.optional().describe('what the sidecar had logged; only with keepLogs of the policy'),
});

export const containerReport = z
  .discriminatedUnion('role', [
    endedMain.extend({ role: z.literal('Main') }).describe('a main, which has ended for good'),
    object('a sidecar', {
      role: z.literal('Sidecar'),
      name: container,
      image,
      because: evidence,
      steps: list('the plan: each step is taken only if the sidecar outlives those before it', plannedStep),
      unfit: list('steps that were left out, and why', unfit),
      attempts: list('what was sent or blocked, in this order', attempt),
      outcome: containerOutcome,
      advice: text('what to do about it, if the sweep did not end it').optional(),
      endedAt: time.optional().describe('when the container ended, by the kubelet'),
    }),
    object('an init container with restartPolicy Always; the kubelet ends it itself', {
      role: z.literal('NativeSidecar'),
      name: container,
      image,
    }),
  ])
  .describe('a container of a stuck pod');

export const podReport = stuckPod
  .extend({
    containers: list('its containers: the mains, the sidecars, the native sidecars', containerReport),
    uncleanCost,
    lastResort: list('the steps for the whole pod if a sidecar outlives its own steps', plannedStep),
    prediction,
    remarks: z.array(remark),
    outcome: podOutcome,
    harm: harm.optional(),
  })
  .describe('a stuck pod: what was planned, what was done, and what came of it');

export const excludedPod = podName
  .extend({ because: z.array(exclusion), remarks: z.array(remark) })
  .describe('a pod that was left alone');

export const sweepReport = object('The report of one sweep', {
  apiVersion,
  kind: z.literal('SweepReport'),
  run: object('the run of the program', {
    id: text('a UUID; the same in the log'),
    version: text('the version of sidecar-sweeper'),
    startedAt: time.describe('when the sweep began, by the clock of this machine'),
    finishedAt: time.describe('when it ended, by the same clock'),
    durationMs: milliseconds.describe('how long it took, in milliseconds'),
    dryRun: z.boolean().describe('whether it was a dry run, which sends nothing'),
    stoppedEarly: stopReason.optional(),
  }),
  ...found,
  totals: totals
    .extend({
      pods: counts.describe('candidates by outcome'),
      sidecars: counts.describe('their sidecars by outcome'),
      stillRunning: counts.describe('sidecars that are still running, by reason'),
      leftForNext: counts.describe('candidates that a cap left for the next sweep, by cap'),
      harm: counts.describe(
        'what this sweep did to the Jobs of pods whose mains had all exited with 0, by kind',
      ),
    })
    .describe('the counts'),
  excluded: list('every pod that was left alone; only with --verbose', excludedPod).optional(),
  pods: z.array(podReport),
});

export type PlannedStepReport = Value<typeof plannedStep>;
export type AttemptReport = Value<typeof attempt>;
export type PodReport = Value<typeof podReport>;
export type ContainerReport = Value<typeof containerReport>;
export type WaitingPodReport = Value<typeof waitingPod>;
export type HangingPodReport = Value<typeof hanging>;
export type ExcludedPodReport = Value<typeof excludedPod>;
export type SweepReport = Value<typeof sweepReport>;
