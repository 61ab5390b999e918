import * as z from 'zod';
import { harmKind } from '../../model/job.ts';
import { image, namespace, type Value } from '../../model/schema.ts';
import { unreadableReports } from '../records/rebuild.ts';
import { apiVersion, cluster, owner, podIdentity, podName, requests, time } from '../schema.ts';

const pods = z.int().nonnegative();
const sweeps = z.int();

export const usage = z
  .object({
    cpuHours: z.number().describe('CPU, in core-hours'),
    gibHours: z.number().describe('memory, in GiB-hours'),
  })
  .describe('what pods reserved on their nodes, added up over time');

const fates = z.object({
  pods: pods.describe('pods that were found stuck, each counted once however many sweeps found it'),
  ended: pods.describe('how many of these were ended by sweeps'),
  gone: pods.describe('how many ended or disappeared in another way, as far as the reports show'),
  stuck: pods.describe('how many were still stuck when they were last looked for'),
  wasted: usage.describe('what these pods reserved from the end of their last main to their own end'),
});

const ofCluster = z.object({ cluster: z.string().describe('the name of one of `clusters`') });

const why = z
  .object({
    outcome: z.string().describe('the outcome, as in a report, or NeverStarted or NotStartedAgain'),
    reason: z.string().optional().describe('the reason, as in a report'),
    words: z.string().describe('the same in words, as reported for one of the pods'),
    advice: z.string().optional().describe('what to do about it'),
  })
  .describe('why a pod is still stuck');

const stuckPod = podName
  .extend(ofCluster.shape)
  .extend({
    uid: podIdentity.shape.uid.optional(),
    owner: owner.describe('the object that controls the pod, as in `owners`'),
    sidecars: z
      .array(z.object({ name: z.string().describe('the name of the container'), image }))
      .describe('the sidecars that keep it from ending'),
    mainsEndedAt: time.describe('when its last main ended; it has been stuck since then'),
    lastSeenAt: time.describe('when a sweep last found it stuck'),
    sweeps: z.int().describe('how many sweeps found it stuck'),
    why,
    requests,
    wasted: usage.describe('what it has reserved since its last main ended'),
  })
  .describe('a pod that was still stuck when it was last looked for');

const point = fates
  .pick({ ended: true, gone: true, stuck: true, wasted: true })
  .extend({
    from: time.describe('when this interval begins'),
    sweeps: sweeps.describe('sweeps within it'),
    found: pods.describe('pods that were found stuck for the first time'),
  })
  .describe('an interval: `stuck` at its end, everything else within it');

const counts = z.record(z.string(), z.int());

/** What the reports of many sweeps say together. */
export const history = z
  .object({
    apiVersion,
    kind: z.literal('History'),
    period: z
      .object({
        from: time.describe('when the first sweep began'),
        to: time.describe('when the last sweep ended'),
      })
      .optional()
      .describe('from the start of the first sweep to the end of the last; missing without sweeps'),
    read: z
      .object({
        sweeps: sweeps.describe('sweeps; the shards of a sweep count as one, as do copies of a report'),
        reports: z.int().describe('reports of these, without copies'),
        copies: z.int().describe('reports that were read before'),
        dryRuns: z.int().describe('reports of dry runs, which add nothing else'),
        stoppedEarly: z.int().describe('reports of sweeps that were stopped early'),
        unread: z.int().describe('reports of sweeps that could not read all of their scope'),
        braked: z
          .int()
          .describe('reports of sweeps that sent nothing, because the plan was for too many pods'),
        unfinished: z.int().describe('runs whose last record was not found; they are not counted'),
        lost: z.int().describe('records of the other runs that were not found'),
        shortened: z.int().describe('records that left something out to fit into a line'),
        truncated: z.int().describe('lines that were cut off'),
        unreadable: z
          .array(unreadableReports)
          .describe('reports that are damaged or of another version; they are not counted'),
        other: z.int().describe('other lines'),
      })
      .describe('what was read'),
    totals: fates
      .extend({
        freed: requests.describe('what the nodes reserved for the pods that sweeps ended'),
        reclaimed: usage.describe(
          'what the pods that sweeps ended would have kept reserving; docs/report.md',
        ),
        wastedByStuck: usage.describe('the share of `wasted` of the pods that are still stuck'),
        reserved: requests.describe('what the nodes reserve for the pods that are still stuck'),
        withoutRequests: pods.describe(
          'how many of `pods` have no requests: what they wasted is unknown and not counted',
        ),
        harm: counts.describe(`pods by what sweeps did to their Jobs: ${harmKind.options.join(', ')}`),
      })
      .describe('all clusters together'),
    trend: z
      .object({
        stepMs: z.int().describe('the length of each interval, in milliseconds'),
        wastedBefore: usage.describe('what was wasted before the first interval'),
        points: z.array(point).describe('the intervals, in order'),
      })
      .describe('the trend, in intervals of equal length'),
    clusters: z
      .array(
        fates.extend({
          ...cluster.shape,
          name: z
            .string()
            .describe(
              'clusterName of the policy, or its context; if several clusters share it, its server or the start of its uid',
            ),
          sweeps: sweeps.describe('how many sweeps it had'),
          from: time.describe('when the first of them began'),
          to: time.describe('when the last of them ended'),
        }),
      )
      .describe('the clusters'),
    namespaces: z.array(fates.extend(ofCluster.shape).extend({ namespace })).describe('the namespaces'),
    owners: z
      .array(
        fates.extend(ofCluster.shape).extend({
          namespace,
          kind: z.string().describe('the kind of the owner: CronJob, Job, …; Pod without an owner'),
          name: z.string().describe('its name; * stands for the part that differs between its Jobs or pods'),
          times: z.int().describe('how many of its Jobs (or pods, if no Job owns them) got stuck'),
          lastAt: time.describe('when the mains of the last one ended'),
          images: z.array(image).describe('the images of the sidecars that its pods got stuck on'),
        }),
      )
      .describe('the owners of the pods, and how often their pods got stuck'),
    harm: z
      .array(
        podName
          .extend(ofCluster.shape)
          .extend({ owner: owner.optional(), kind: harmKind })
          .extend({
            does: z.string().optional().describe('the last step that was taken, in words'),
            at: time.describe('when it was sent'),
          }),
      )
      .describe('the pods whose finished work a sweep harmed, the last one first'),
    groups: z
      .array(
        why.partial({ outcome: true }).extend({
          sidecar: z.string().describe('the name of the sidecar that keeps or kept the pods running'),
          image,
          fate: z.enum(['Ended', 'Gone', 'Stuck']).describe('what became of the pods, as in the totals'),
          pods: pods.describe('how many pods'),
          since: time.describe('when the mains of the first of these pods ended'),
          examples: z.array(podName.extend(ofCluster.shape)).describe('up to three of these pods'),
          wasted: usage.describe('what these pods have reserved since their last mains ended'),
        }),
      )
      .describe('the pods by their sidecar and what became of them, or why they are still stuck'),
    stuck: z.array(stuckPod).describe('the pods that were still stuck when they were last looked for'),
    leftOut: counts.describe('how many entries each list has no room for'),
  })
  .describe('What the reports of many sweeps say together; every list has its worst entries first');

export type History = Value<typeof history>;
export type Usage = Value<typeof usage>;
export type Fates = Value<typeof fates>;
export type Why = Value<typeof why>;
export type TrendPoint = Value<typeof point>;
