import * as z from 'zod';
import {
  attemptResult,
  clearance,
  containerOutcome,
  evidence,
  exclusion,
  harm,
  keptLog,
  podOutcome,
  prediction,
  remark,
  stepSource,
  stopReason,
  uncleanCost,
  unfit,
  type Value,
  warning,
} from '../vocabulary.ts';

/** What reports contain beyond the vocabulary. The files `docs/*.schema.json` are generated from here. */
export const time = z.iso.datetime().describe('RFC 3339, in UTC');
const milliseconds = z.int().nonnegative();

export const apiVersion = z.literal('sidecar-sweeper.dev/v1');

// ---- common to several reports ----------------------------------------------------------------------------

export const podName = z.object({ namespace: z.string(), name: z.string() });
export const owner = z.object({ kind: z.string(), name: z.string() });
export const cluster = z.object({ context: z.string(), server: z.string() });

const waitingPod = podName.extend({
  mainsEndedAt: time,
  waiting: z.array(z.object({ name: z.string(), image: z.string(), reason: z.string() })),
  remarks: z.array(remark),
});
export const neverStarted = waitingPod.describe(
  'stuck on sidecars that are waiting to start: there is no process to signal',
);
export const notStartedAgain = waitingPod.describe(
  'stuck on sidecars that ended and cannot start again, as after a swap for an image that cannot be pulled',
);

export const unread = z
  .array(z.object({ namespace: z.string().optional(), problem: z.string(), message: z.string() }))
  .describe('the parts of the scope that could not be listed, and why');

export const undecided = z
  .array(podName.extend({ problem: z.string() }))
  .describe('pods whose own data is inconsistent; nothing was sent to them');

export const leftOut = z
  .object({ remarks: z.int(), warnings: z.int() })
  .describe('how many are not in this report, because there are too many of them');

export const endedMain = z.object({
  name: z.string(),
  image: z.string(),
  because: evidence,
  exitCode: z.int(),
  endedAt: time,
});

export const plannedStep = z
  .object({
    method: z.string(),
    does: z.string().describe('the step in words'),
    source: stepSource,
    graceMs: milliseconds.describe('how long the sidecar is given to end'),
    expectedExitCode: z.int().optional().describe('missing if unknown'),
    clearance,
    raisesBackoffLimit: z
      .literal(true)
      .optional()
      .describe('the backoffLimit of its Job is raised first if there is no room for the restart'),
  })
  .describe('a step of the plan, taken only if the sidecar outlives the one before');

// ---- the report of a sweep --------------------------------------------------------------------------------

export const attempt = z.object({
  method: z.string(),
  does: z.string().describe('the step in words'),
  command: z.array(z.string()).optional().describe('as it was executed in the container'),
  source: stepSource,
  expectedExitCode: z.int().optional().describe('missing if unknown'),
  sentAt: time,
  durationMs: milliseconds,
  result: attemptResult,
  log: keptLog.optional().describe('only with --keep-logs'),
});

export const containerReport = z.discriminatedUnion('role', [
  endedMain.extend({ role: z.literal('Main') }),
  z.object({
    role: z.literal('Sidecar'),
    name: z.string(),
    image: z.string(),
    because: evidence,
    steps: z.array(plannedStep),
    unfit: z.array(unfit),
    attempts: z.array(attempt),
    outcome: containerOutcome,
    advice: z.string().optional().describe('what to do about it, if the sweep did not end it'),
    endedAt: time.optional().describe('when the container ended, according to the kubelet'),
  }),
  z.object({
    role: z.literal('NativeSidecar'),
    name: z.string(),
    image: z.string().describe('an init container with restartPolicy Always; the kubelet ends it itself'),
  }),
]);

export const podReport = podName.extend({
  uid: z.string(),
  node: z.string().optional(),
  owner: owner.optional(),
  restartPolicy: z.string(),
  mainsEndedAt: time.describe('when the last main container ended; the pod has been stuck since then'),
  requests: z
    .object({ cpu: z.number(), memory: z.number() })
    .describe('cores and bytes that its node reserves for it until it ends'),
  containers: z.array(containerReport),
  uncleanCost,
  lastResort: z.array(plannedStep).describe('what is done to the pod if a sidecar outlives its own steps'),
  prediction,
  remarks: z.array(remark),
  outcome: podOutcome,
  harm: harm.optional(),
});

export const excludedPod = podName
  .extend({ because: z.array(exclusion), remarks: z.array(remark) })
  .describe('a pod that was left alone');

const counts = z.record(z.string(), z.int());

export const sweepReport = z
  .object({
    apiVersion,
    kind: z.literal('SweepReport'),
    run: z.object({
      id: z.string(),
      version: z.string(),
      startedAt: time,
      finishedAt: time,
      durationMs: milliseconds,
      asOf: time
        .optional()
        .describe("the server's time when the pods were judged; missing if none was listed"),
      dryRun: z.boolean(),
      stoppedEarly: stopReason.optional(),
      load: z
        .object({
          requests: z.int().describe('in flight, of --concurrency'),
          requestsOfNode: z.int().describe('in flight through one node, of 4'),
          silentRequests: z
            .int()
            .describe('waiting for silent nodes beside those of --concurrency, and at most as many'),
          connections: z.int().optional().describe('open to the API server'),
        })
        .optional()
        .describe('the most of each at once'),
    }),
    cluster,
    scope: z.object({
      namespaces: z.array(z.string()).describe('empty means all'),
      labelSelector: z.string().optional(),
      includePending: z.boolean().describe('whether pods that never started were examined'),
      minAgeMs: milliseconds,
      shard: z
        .object({ index: z.int(), of: z.int() })
        .optional()
        .describe('which part of the pods was swept'),
    }),
    unread,
    totals: z.object({
      listed: z.int().describe('pods that the list returned'),
      otherShards: z.int().describe('how many of these belong to other shards'),
      excluded: z.int(),
      excludedBecause: counts.describe(
        'by reason, each explained in docs/reasons; a pod with several reasons counts for each',
      ),
      undecided: z.int(),
      neverStarted: z.int().describe('pods stuck on a sidecar that never started'),
      notStartedAgain: z.int().describe('pods stuck on a sidecar that ended and cannot start again'),
      candidates: z.int(),
      remarks: counts.describe('remarks by kind, on pods with any verdict'),
      leftOut,
      pods: counts.describe('candidates by outcome'),
      sidecars: counts.describe('their sidecars by outcome'),
      stillRunning: counts.describe('sidecars that are still running, by reason'),
      leftForNext: counts.describe('candidates that a cap left for the next sweep, by cap'),
      harm: counts.describe('what this sweep did to the Jobs of pods whose mains had all exited 0'),
    }),
    undecided,
    excluded: z.array(excludedPod).optional().describe('every pod that was left alone; only with --verbose'),
    neverStarted: z.array(neverStarted).describe('only with --include-pending'),
    notStartedAgain: z.array(notStartedAgain),
    pods: z.array(podReport),
    warnings: z.array(warning),
  })
  .describe('The report of one sweep');

export type PlannedStepReport = Value<typeof plannedStep>;
export type AttemptReport = Value<typeof attempt>;
export type PodReport = Value<typeof podReport>;
export type ContainerReport = Value<typeof containerReport>;
export type WaitingPodReport = Value<typeof waitingPod>;
export type UndecidedReport = Value<typeof undecided>[number];
export type SweepReport = Value<typeof sweepReport>;
