import * as z from 'zod';
import { harmKind, type Value } from '../../vocabulary.ts';
import { apiVersion, cluster, owner, podName, requests, time } from '../schema.ts';

const pods = z.int().nonnegative();
const price = z.number().nonnegative();

const usage = z.object({
  cpuHours: z.number().describe('core-hours'),
  gibHours: z.number().describe('GiB-hours of memory'),
  cost: z.number().optional().describe('in the currency of the prices; missing without prices'),
});

const fates = z.object({
  pods: pods.describe('pods that were found stuck, each counted once however many sweeps found it'),
  ended: pods.describe('how many of these sweeps have ended'),
  gone: pods.describe('how many ended or went away otherwise, as far as the reports show'),
  stuck: pods.describe('how many were still stuck when they were last looked for'),
  wasted: usage.describe('what these pods reserved from the end of their last main to their own end'),
});

const ofCluster = z.object({ cluster: z.string().describe('the name of one of `clusters`') });

const workload = ofCluster.extend({
  namespace: z.string(),
  kind: z.string().describe('of its owner: CronJob, Job, …; Pod without an owner'),
  name: z.string().describe('without what is new in the name of each of its Jobs or pods: * stands for it'),
});

const why = z.object({
  outcome: z.string().describe('as in a report, or NeverStarted or NotStartedAgain'),
  reason: z.string().optional().describe('as in a report'),
  words: z.string().describe('the same for people, as it was told about one of the pods'),
  advice: z.string().optional().describe('what to do about it'),
});

const stuckPod = podName
  .extend(ofCluster.shape)
  .extend({
    uid: z.string().optional(),
    owner: owner.describe('as in `owners`'),
    sidecars: z.array(z.object({ name: z.string(), image: z.string() })),
    mainsEndedAt: time,
    lastSeenAt: time.describe('when a sweep last found it stuck'),
    sweeps: z.int().describe('how many sweeps found it stuck'),
    why,
    requests,
    wasted: usage,
  })
  .describe('a pod that was still stuck when it was last looked for');

const point = fates
  .pick({ ended: true, gone: true, stuck: true, wasted: true })
  .extend({
    from: time,
    sweeps: z.int(),
    found: pods.describe('pods that were found stuck for the first time'),
  })
  .describe('`stuck` at the end of this part of the time, all else within it');

const counts = z.record(z.string(), z.int());

/** What the reports of many sweeps say together. */
export const history = z
  .object({
    apiVersion,
    kind: z.literal('History'),
    period: z
      .object({ from: time, to: time })
      .optional()
      .describe('from the start of the first sweep to the end of the last; missing without sweeps'),
    prices: z.object({ cpuHour: price.optional(), gibHour: price.optional() }),
    read: z
      .object({
        sweeps: z.int().describe('the shards of a sweep count as one, as do copies of a report'),
        reports: z.int().describe('reports of these, without copies'),
        copies: z.int().describe('reports that were read before'),
        dryRuns: z.int().describe('reports of dry runs, which are counted and add nothing'),
        stoppedEarly: z.int().describe('reports of sweeps that were stopped early'),
        unread: z.int().describe('reports of sweeps that could not read all of their scope'),
        braked: z.int().describe('reports of sweeps that sent nothing, because it was for too many pods'),
        unfinished: z
          .int()
          .describe('runs of which the last record was not found, so that they are not counted'),
        lost: z.int().describe('records of the other runs that were not found'),
        shortened: z.int().describe('records that left something out to fit into a line'),
        truncated: z.int().describe('lines that were cut off'),
        other: z.int().describe('lines of something else'),
      })
      .describe('what all this was made of'),
    totals: fates.extend({
      reclaimed: usage.describe(
        'what the pods that sweeps ended would have gone on reserving; docs/history.md',
      ),
      wastedByStuck: usage.describe('the part of `wasted` of the pods that are still stuck'),
      reserved: z
        .object({ cpu: z.number(), memory: z.number() })
        .describe('cores and bytes that the pods that are still stuck reserve'),
      harm: counts.describe(`pods by what sweeps did to their Jobs: ${harmKind.options.join(', ')}`),
    }),
    trend: z.object({
      stepMs: z.int().describe('the length of each part'),
      wastedBefore: usage.describe('what was wasted before the first part'),
      points: z.array(point),
    }),
    clusters: z.array(
      fates.extend({
        name: z.string().describe('its context or, if several share that, its server'),
        ...cluster.shape,
        sweeps: z.int(),
        from: time,
        to: time,
      }),
    ),
    namespaces: z.array(fates.extend(ofCluster.shape).extend({ namespace: z.string() })),
    images: z
      .array(fates.extend({ image: z.string() }))
      .describe('of sidecars; a pod with several of them counts for each'),
    owners: z.array(fates.extend(workload.shape)),
    recurring: z
      .array(
        fates.extend(workload.shape).extend({
          sidecar: z.string(),
          image: z.string(),
          times: z.int().describe('how many of its Jobs (or pods, if no Job owns them) got stuck'),
          firstAt: time,
          lastAt: time.describe('when the mains of the last one ended'),
        }),
      )
      .describe('what got stuck more than once on the same sidecar'),
    reasons: z
      .array(
        why.extend({
          pods,
          since: time.describe('when the mains of the first of these pods ended'),
          example: podName.extend(ofCluster.shape),
          wasted: usage,
        }),
      )
      .describe('why pods are still stuck'),
    stuck: z.array(stuckPod),
    leftOut: counts.describe('how many entries of each list are not in it, because there are too many'),
  })
  .describe('What the reports of many sweeps say together; every list has its worst entries first');

export type History = Value<typeof history>;
export type Usage = Value<typeof usage>;
export type Fates = Value<typeof fates>;
export type Workload = Value<typeof workload>;
export type Why = Value<typeof why>;
export type TrendPoint = Value<typeof point>;
