import { bounds } from '../../model/bounds.ts';
import type { FailureCriterion, FailureRule, IndexLimits, JobView, ListedJob } from '../../model/job.ts';
import type { Owner } from '../../model/pod.ts';
import type { LimitRaise, Origins, TemplateReading, WriteResult } from '../../model/ports.ts';
import type { JobReading, ObjectPage, PageToken } from '../../model/reading.ts';
import type { Reader, Writer } from '../client/transport.ts';
import { filled, integer, isRecord, type Json, list, record, records, text, texts } from '../json.ts';
import { controllerIn, narrowOwner } from '../pods/narrow.ts';
import { concludeWrite } from '../pods/write.ts';
import { cronJobPath, jobPath, jobsPath, type Listed, listObjects, readNamed } from './objects.ts';

/** Reads how far a Job has come. */
export async function readJob(
  transport: Reader,
  namespace: string,
  owner: Owner,
  abort: AbortSignal,
): Promise<JobReading> {
  const { name } = owner;
  const reading = await readNamed(transport, { path: jobPath(namespace, name), kind: 'Job', name }, abort);
  if (reading.kind !== 'Present') return reading;
  const job = reading.body;
  // Another Job of that name owns other pods.
  if (record(job['metadata'])['uid'] !== owner.uid) return { kind: 'Gone' };
  const view = narrowJob(job);
  return isOverBound(view) ? tooMuch : { kind: 'Present', job: view };
}

function isOverBound(job: JobView): boolean {
  return JSON.stringify(job).length > bounds.job;
}

const tooMuch: JobReading = {
  kind: 'Unreadable',
  problem: { kind: 'TooLarge', message: `the Job has more than ${bounds.job} bytes of what is read of it` },
};

/** Reads a page of the Jobs of a namespace. */
export function listJobs(
  transport: Reader,
  namespace: string,
  token: PageToken,
  abort: AbortSignal,
): Promise<ObjectPage<ListedJob>> {
  const listed: Listed<ListedJob> = {
    path: jobsPath(namespace),
    kind: 'JobList',
    pageSize: 100,
    narrow(item) {
      const { name, uid } = record(item['metadata']);
      const job = narrowJob(item);
      // A read of this Job alone says that it is over the bound.
      if (isOverBound(job)) return { name: '', uid: '', job: narrowJob({}) };
      return { name: text(name) ?? '', uid: text(uid) ?? '', job };
    },
  };
  return listObjects(transport, listed, token, abort);
}

const ownController = 'kubernetes.io/job-controller';

/** SuccessCriteriaMet and FailureTarget come first, as soon as the Job's fate is decided (1.31+). */
function narrowJob(job: Json): JobView {
  const status = record(job['status']);
  const spec = record(job['spec']);
  const template = record(record(spec['template'])['spec']);
  const conditions = records(status['conditions']).filter((condition) => condition['status'] === 'True');
  const find = (...types: string[]) => conditions.find(({ type }) => types.some((wanted) => wanted === type));
  const failed = find('Failed', 'FailureTarget');
  const failedIndexes = indexRanges(text(status['failedIndexes']) ?? '');
  const uncounted = record(status['uncountedTerminatedPods']);
  const managedBy = filled(spec['managedBy']);
  return {
    containers: records(template['containers']).flatMap(({ name }) => text(name) ?? []),
    nativeSidecars: records(template['initContainers']).flatMap(({ name, restartPolicy }) =>
      restartPolicy === 'Always' ? (text(name) ?? []) : [],
    ),
    complete: find('Complete', 'SuccessCriteriaMet') !== undefined,
    failed: failed && (text(failed['reason']) ?? ''),
    uncounted: [...texts(uncounted['succeeded']), ...texts(uncounted['failed'])],
    // The server fills in its default; without it, no retry can be relied on.
    backoffLimit: integer(spec['backoffLimit']) ?? 0,
    // The controller adds an ended pod to the counter a moment after it has written down its uid.
    failedPods: (integer(status['failed']) ?? 0) + texts(uncounted['failed']).length,
    failedIndexes,
    perIndex: narrowIndexLimits(spec, failedIndexes),
    failureRules: records(record(spec['podFailurePolicy'])['rules']).map(narrowFailureRule),
    otherController: managedBy === ownController ? undefined : managedBy,
    isWorkQueue: (spec['completions'] ?? undefined) === undefined,
    succeededPods: (integer(status['succeeded']) ?? 0) + texts(uncounted['succeeded']).length,
  };
}

function narrowIndexLimits(spec: Json, ranges: JobView['failedIndexes']): IndexLimits | undefined {
  const retries = integer(spec['backoffLimitPerIndex']);
  if (retries === undefined) return undefined;
  const failed = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return { retries, maxFailed: integer(spec['maxFailedIndexes']), failed };
}

/** The ranges of a list such as `1,3-5,7`. */
function indexRanges(written: string): JobView['failedIndexes'] {
  const ranges = written.split(',').filter((part) => part !== '');
  return ranges.map((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return [first, last];
  });
}

function narrowFailureRule(rule: Json): FailureRule {
  return { action: text(rule['action']) ?? '', on: narrowCriterion(rule) };
}

function narrowCriterion({ onExitCodes, onPodConditions }: Json): FailureCriterion {
  if (isRecord(onExitCodes)) {
    const { containerName, operator, values } = onExitCodes;
    if (operator !== 'In' && operator !== 'NotIn') return { kind: 'Unknown' };
    const exitCodes = list(values).flatMap((code) => integer(code) ?? []);
    return { kind: 'ExitCodes', container: text(containerName), operator, exitCodes };
  }
  if (!Array.isArray(onPodConditions)) return { kind: 'Unknown' };
  const patterns = records(onPodConditions).flatMap(({ type, status }) =>
    // The server fills in its default.
    typeof type === 'string' ? { type, status: filled(status) ?? 'True' } : [],
  );
  return { kind: 'PodConditions', patterns };
}

/** A Job's backoffLimit may be changed at any time (recorded: image-swap-onfailure-backoff-raised). */
export async function raiseBackoffLimit(
  transport: Writer,
  namespace: string,
  { name, uid }: Owner,
  { from, to }: LimitRaise,
  abort: AbortSignal,
): Promise<WriteResult> {
  const body = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/spec/backoffLimit', value: from },
    { op: 'replace', path: '/spec/backoffLimit', value: to },
  ];
  const contentType = 'application/json-patch+json';
  const path = jobPath(namespace, name);
  return concludeWrite(await transport.send({ method: 'PATCH', path, body, contentType }, abort), 'Job');
}

/** Reads the pod template of a Job or CronJob. */
export async function readTemplate(
  transport: Reader,
  namespace: string,
  { kind, name, uid }: Parameters<Origins['readTemplate']>[1],
  abort: AbortSignal,
): Promise<TemplateReading> {
  const path = kind === 'CronJob' ? cronJobPath(namespace, name) : jobPath(namespace, name);
  const reading = await readNamed(transport, { path, kind, name }, abort);
  if (reading.kind !== 'Present') return reading;
  const object = reading.body;
  const metadata = record(object['metadata']);
  if (metadata['uid'] !== uid) return { kind: 'Gone' };
  const controller = controllerIn(records(metadata['ownerReferences']));
  const spec = record(object['spec']);
  const job = kind === 'CronJob' ? record(record(spec['jobTemplate'])['spec']) : spec;
  const template = record(job['template']);
  const pod = record(template['spec']);
  const initContainers = records(pod['initContainers']);
  return {
    kind: 'Present',
    template: {
      uid: text(metadata['uid']) ?? '',
      owner: controller && narrowOwner(controller),
      generation: integer(metadata['generation']),
      containers: records(pod['containers']).map(nameOf),
      nativeSidecars: initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always').map(nameOf),
      initContainers: initContainers.length,
      hasMetadata: isRecord(template['metadata']),
      annotations: annotationsOf(record(template['metadata'])['annotations']),
    },
  };
}

function nameOf({ name }: Json): string {
  return text(name) ?? '';
}

function annotationsOf(written: unknown): Readonly<Record<string, string>> | undefined {
  if (!isRecord(written)) return undefined;
  return Object.fromEntries(
    Object.entries(written).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
