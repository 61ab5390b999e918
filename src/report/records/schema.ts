import * as z from 'zod';
import { object, text, texts, union, whole } from '../../model/schema.ts';
import { type PodReport, sweepReport, time } from '../schema.ts';
import { type ListKind, listKinds } from './fields.ts';

const { unread, undecided, excluded, neverStarted, notStartedAgain, hanging, pods, warnings } =
  sweepReport.shape;

/** The `entry` of each kind of record, the same as in the report, and what the record is. */
const entries = {
  Unread: [unread.element, 'a part of the scope that could not be read'],
  Undecided: [undecided.element, 'a pod whose own data is inconsistent'],
  Excluded: [excluded.unwrap().element, 'a pod that was left alone; only with --verbose'],
  NeverStarted: [neverStarted.element, 'a pod that is stuck on a sidecar that never started'],
  NotStartedAgain: [
    notStartedAgain.element,
    'a pod that is stuck on a sidecar that ended and cannot start again',
  ],
  Hanging: [hanging.element, 'a pod that hangs for a reason that a sweep does not cure'],
  Pod: [pods.element, 'a pod that was stuck'],
  Warning: [warnings.element, 'a warning'],
  Summary: [sweepReport, 'the last record: the report with nothing in its lists'],
} as const satisfies Record<ListKind | 'Summary', readonly [z.ZodType, string]>;

const place = {
  'run.id': text('the run that it belongs to, as in the report'),
  index: z.int().nonnegative().describe('the place of the record in its run; the Summary has the last one'),
};

const anyRecord = z.object({
  ...place,
  kind: z.enum(['Summary', ...listKinds]),
  like: z.int().nonnegative().optional(),
  leftOut: z.array(z.string()).optional(),
});

/** As much of a record as is needed to rebuild the report: collectors take `time`, `level` and `message` out. */
export interface ReadableRecord extends z.infer<typeof anyRecord> {
  readonly entry: unknown;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The pod of a record that is like another one; undefined if it is damaged. */
export function readPod(value: unknown): PodReport | undefined {
  return entries.Pod[0].safeParse(value).data;
}

export function readRecord(value: { readonly entry: unknown }): ReadableRecord | undefined {
  const { data: record } = anyRecord.safeParse(value);
  if (!record) return undefined;
  // It is part of a pod, which is whole only with the record that it refers to.
  if (record.like !== undefined) return { ...record, entry: value.entry, fields: value };
  const read = entries[record.kind][0].safeParse(value.entry);
  return read.success ? { ...record, entry: read.data, fields: value } : undefined;
}

const mayHave = (meaning: string) => text(meaning).optional();

/** What every record has, and what it may have beside its entry: one value each, for searches. */
const searched = {
  time: time.describe('when the run finished'),
  level: z.enum(['info', 'warn', 'error']).describe('the severity'),
  message: text('what happened, in words that may change'),
  ...place,
  'cluster.context': mayHave(
    'the context of the kubeconfig; in a pod, inClusterContext; missing if the record is like another one',
  ),
  'cluster.server': mayHave('the URL of the API server'),
  'k8s.cluster.name': mayHave('clusterName of the policy'),
  'k8s.cluster.uid': mayHave('the uid of its namespace kube-system'),
  'k8s.namespace.name': mayHave('the namespace'),
  'k8s.pod.name': mayHave('the name of the pod'),
  'k8s.pod.uid': mayHave('the uid of the pod'),
  'k8s.node.name': mayHave('the node of the pod'),
  'k8s.job.name': mayHave('the Job that owns the pod'),
  'k8s.replicaset.name': mayHave('the ReplicaSet that owns the pod'),
  'k8s.statefulset.name': mayHave('the StatefulSet that owns the pod'),
  'k8s.daemonset.name': mayHave('the DaemonSet that owns the pod'),
  like: whole(
    'the index of the record of a pod like this one: the entry has only what differs from that',
  ).optional(),
  outcome: mayHave('what became of the pod: the kind of its outcome'),
  reason: mayHave('why: the kind of the reason'),
  harm: mayHave('what the sweep did to the Job: the kind of the harm'),
  warning: mayHave('the kind of the warning'),
  'error.type': mayHave('why the cluster could not be read'),
  'process.exit.code': whole('the exit code of the run').optional(),
  'service.version': mayHave('the version of the sweeper'),
  'run.dryRun': z.boolean().optional().describe('whether it was a dry run, which sends nothing'),
  'run.durationMs': whole('how long the run took, in milliseconds').optional(),
  'run.stoppedEarly': mayHave('why the run stopped early'),
  leftOut: texts('the paths that were left out to keep the record within 16 KiB').optional(),
};

const differing = z
  .record(z.string(), z.unknown())
  .describe('what differs from the pod of the record that `like` names, as a JSON merge patch');

const recordOf = <K extends ListKind | 'Summary'>(kind: K) => {
  const [whole, meaning] = entries[kind];
  const entry = kind === 'Pod' ? z.union([whole, differing]) : whole;
  const described = entry.description === undefined ? entry.describe('the entry, as in the report') : entry;
  return object(meaning, { ...searched, kind: z.literal(kind), entry: described });
};

export const sweepRecord = union(
  'A line that a sweep writes to a pipe: one entry of its report or, as the last line, the rest of the report',
  [recordOf('Summary'), ...listKinds.map(recordOf)],
);
