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
  image,
  list,
  method,
  milliseconds,
  object,
  text,
  texts,
  type Value,
  whole,
} from '../model/schema.ts';
import { prediction, stepSource, uncleanCost, unfit } from '../model/step.ts';
import { evidence, exclusion } from '../model/verdict.ts';
import { apiVersion, counts, endedMain, found, podName, stuckPod, time, totals } from './scan-schema.ts';

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
    outcome: podOutcome,
    harm: harm.optional(),
  })
  .describe('a stuck pod: what was planned, what was done, and what came of it');

export const excludedPod = podName
  .extend({ because: z.array(exclusion) })
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
export type ExcludedPodReport = Value<typeof excludedPod>;
export type SweepReport = Value<typeof sweepReport>;
