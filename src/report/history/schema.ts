import * as z from 'zod';
import { harm, harmKind } from '../../model/job.ts';
import { container, image, list, namespace, object, text, type Value, whole } from '../../model/schema.ts';
import { unreadableReports } from '../records/rebuild.ts';
import { apiVersion, cluster, counts, owner, podName, requests, time } from '../scan-schema.ts';

const pods = z.int().nonnegative();
const sweeps = z.int();

export const usage = object('what pods reserved on their nodes, added up over time', {
  cpuHours: z.number().describe('CPU, in core-hours'),
  gibHours: z.number().describe('memory, in GiB-hours'),
});

const fates = z.object({
  pods: pods.describe('pods that were found stuck, each counted once however many sweeps found it'),
  ended: pods.describe('how many of the pods were ended by sweeps'),
  gone: pods.describe('how many ended or disappeared in another way, as far as the reports show'),
  stuck: pods.describe('how many were still stuck when they were last looked for'),
  wasted: usage.describe('what these pods reserved from the end of their last main to their own end'),
});

const ofCluster = z.object({ cluster: text('the name of one of `clusters`') });
const podOfCluster = podName.extend(ofCluster.shape);

const why = object('why a pod is still stuck', {
  outcome: text('the outcome, as in a report, or NeverStarted or NotStartedAgain'),
  reason: text('the reason, as in a report').optional(),
  words: text('the same in words, as reported for one of the pods'),
  advice: text('what to do about it').optional(),
});

const stuckPod = podOfCluster
  .extend({
    owner: owner.describe('the object that controls the pod, as in `owners`'),
    sidecars: list('the sidecars that keep it from ending', z.object({ name: container, image })),
    mainsEndedAt: time.describe('when its last main ended; it has been stuck since then'),
    lastSeenAt: time.describe('when a sweep last found it stuck'),
    sweeps: whole('how many sweeps found it stuck'),
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

export const history = object(
  'What the reports of many sweeps add up to; lists begin with what wastes most, unless they say otherwise',
  {
    apiVersion,
    kind: z.literal('History'),
    period: object('from the start of the first sweep to the end of the last; missing without sweeps', {
      from: time.describe('when the first sweep began'),
      to: time.describe('when the last sweep ended'),
    }).optional(),
    read: object('what was read', {
      sweeps: sweeps.describe('sweeps; the shards of a sweep count as one, as do copies of a report'),
      reports: whole('reports of these, without copies'),
      dryRuns: whole('reports of dry runs, which add nothing else'),
      stoppedEarly: whole('reports of sweeps that were stopped early'),
      unread: whole('reports of sweeps that could not read all of their scope'),
      braked: whole('reports with a plan that was not sent, because it was for too many pods'),
      unfinished: whole('runs whose last record was not found; they are not counted'),
      lost: whole('records of the other runs that were not found'),
      truncated: whole('lines that were cut off'),
      unreadable: list(
        'reports that are damaged or of another version; they are not counted',
        unreadableReports,
      ),
    }),
    totals: fates
      .extend({
        freed: requests.describe('what the nodes reserved for the pods that sweeps ended'),
        reclaimed: usage.describe(
          'an estimate of what the pods that sweeps ended would have kept reserving, explained in docs/report.md',
        ),
        wastedByStuck: usage.describe('the part of `wasted` that is due to pods that are still stuck'),
        reserved: requests.describe('what the nodes reserve for the pods that are still stuck'),
        withoutRequests: pods.describe(
          'how many of `pods` have no requests: what they wasted is unknown and not counted',
        ),
        harm: counts.describe(`pods by what sweeps did to their Jobs: ${harmKind.options.join(', ')}`),
      })
      .describe('all clusters together'),
    trend: object('the trend, in intervals of equal length', {
      stepMs: whole('the length of each interval, in milliseconds'),
      wastedBefore: usage.describe('what was wasted before the first interval'),
      points: list('the intervals, in order', point),
    }),
    clusters: list(
      'the clusters',
      fates.extend({
        uid: cluster.shape.uid,
        name: text(
          'clusterName of the policy, or its context; if several clusters share it, with the start of its uid, or its server',
        ),
        sweeps: sweeps.describe('how many sweeps it had'),
        from: time.describe('when the first of them began'),
        to: time.describe('when the last of them ended'),
      }),
    ),
    namespaces: list('the namespaces', fates.extend(ofCluster.shape).extend({ namespace })),
    owners: list(
      'the owners of the pods, and how often their pods got stuck',
      fates.extend(ofCluster.shape).extend({
        namespace,
        kind: text('the kind of the owner: CronJob, Job, …; Pod without an owner'),
        name: text('its name; * stands for the part that differs between its Jobs or pods'),
        times: whole('how many of its Jobs (or pods, if no Job owns them) got stuck'),
        lastAt: time.describe('when the mains of the last one ended'),
        images: list('the images of the sidecars that its pods got stuck on', image),
      }),
    ),
    harm: list(
      'the pods whose finished work a sweep harmed, the latest first',
      podOfCluster.extend({
        owner: owner.optional(),
        kind: harmKind,
        expected: harm.shape.expected,
        does: text('the last step that was taken, in words').optional(),
        at: time.describe('when it was sent'),
      }),
    ),
    groups: list(
      'the pods by their sidecar and what became of them, or why they are still stuck; those that are stuck come first',
      why.partial({ outcome: true }).extend({
        sidecar: text('the name of the sidecar that keeps or kept the pods running'),
        image,
        fate: z.enum(['Ended', 'Gone', 'Stuck']).describe('what became of the pods, as in the totals'),
        pods: pods.describe('how many pods'),
        since: time.describe('when the mains of the first of these pods ended'),
        examples: list('up to three of these pods', podOfCluster),
        wasted: usage.describe('what these pods have reserved since their last mains ended'),
      }),
    ),
    stuck: list('the pods that were still stuck when they were last looked for', stuckPod),
    leftOut: counts.describe('how many entries were left out of each list'),
  },
);

export type History = Value<typeof history>;
export type Usage = Value<typeof usage>;
export type Fates = Value<typeof fates>;
export type Why = Value<typeof why>;
export type TrendPoint = Value<typeof point>;
