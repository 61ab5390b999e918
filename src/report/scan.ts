import * as z from 'zod';
import type { Candidate, Millis } from '../vocabulary.ts';
import {
  cluster,
  evidence,
  neverStarted,
  podName,
  remark,
  type SweepReport,
  time,
  undecided,
  unread,
  type Value,
  warning,
} from './schema.ts';

const main = z.object({
  name: z.string(),
  image: z.string(),
  because: evidence,
  exitCode: z.int(),
  endedAt: time,
});

const sidecar = z.object({ name: z.string(), image: z.string(), because: evidence, state: z.string() });

const stuckPod = podName
  .extend({
    uid: z.string(),
    node: z.string().optional(),
    owner: z.object({ kind: z.string(), name: z.string() }).optional(),
    restartPolicy: z.string(),
    mainsEndedAt: time.describe('when the last main container ended: since then the pod is stuck'),
    mains: z.array(main),
    sidecars: z.array(sidecar),
    remarks: z.array(remark),
  })
  .describe('a pod that a sweep would act on');

/** What `scan` says: the pods that a sweep would act on, and nothing of what it would do. */
export const scan = z
  .object({
    apiVersion: z.literal('sidecar-sweeper.dev/v1'),
    kind: z.literal('Scan'),
    asOf: time.optional().describe("the server's clock; missing when nothing could be listed"),
    cluster,
    listed: z.int(),
    unread,
    undecided,
    candidates: z.array(stuckPod),
    neverStarted: z.array(neverStarted).describe('with --include-pending'),
    warnings: z.array(warning),
  })
  .describe('The pods that are stuck');

export type Scan = Value<typeof scan>;
type StuckPod = Value<typeof stuckPod>;

/** The scan for machines: what a report says of the look at the cluster, and the candidates. */
export function reportScan(report: SweepReport, candidates: readonly Candidate[], asOf: Millis): Scan {
  const { cluster, totals, unread, undecided, neverStarted, warnings } = report;
  return {
    apiVersion: report.apiVersion,
    kind: 'Scan',
    ...(Number.isFinite(asOf) && { asOf: iso(asOf) }),
    cluster,
    listed: totals.listed,
    unread,
    undecided,
    candidates: candidates.map(reportStuckPod).sort(byName),
    neverStarted,
    warnings,
  };
}

function reportStuckPod({ pod, mains, sidecars, mainsEndedAt, remarks }: Candidate): StuckPod {
  return {
    ...pod.ref,
    ...(pod.node !== undefined && { node: pod.node }),
    ...(pod.owner && { owner: { kind: pod.owner.kind, name: pod.owner.name } }),
    restartPolicy: pod.restartPolicy,
    mainsEndedAt: iso(mainsEndedAt),
    mains: mains.map((each) => ({ ...each, endedAt: iso(each.endedAt) })),
    sidecars: sidecars.map(({ because, container: { name, image, state } }) => ({
      name,
      image,
      because,
      state: state.kind,
    })),
    remarks,
  };
}

function byName(a: StuckPod, b: StuckPod): number {
  const left = `${a.namespace}/${a.name}`;
  const right = `${b.namespace}/${b.name}`;
  return left < right ? -1 : left > right ? 1 : 0;
}

function iso(at: Millis): string {
  return new Date(at).toISOString();
}
