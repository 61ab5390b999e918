import { bounds } from '../../model/bounds.ts';
import type { FailureCriterion, JobView, ListedJob } from '../../model/job.ts';
import type { Cluster, Origins } from '../../model/ports.ts';
import {
  filled,
  integer,
  isRecord,
  type Json,
  list,
  record,
  records,
  strings,
  text,
  texts,
} from '../../util/json.ts';
import type { Over, Reader, Writer } from '../client/transport.ts';
import { controllerIn, narrowOwner } from '../pods/narrow.ts';
import { concludeWrite } from '../pods/write.ts';
import { type Listed, listObjects, readNamed, resourcePath } from './objects.ts';

export const readJob: Over<Reader, Cluster['readJob']> = async (transport, namespace, owner, abort) => {
  const { name } = owner;
  const path = resourcePath('batch/v1', 'jobs', { namespace, name });
  const reading = await readNamed(transport, { path, kind: 'Job', name }, abort);
  if (reading.kind !== 'Present') return reading;
  const job = reading.body;
  // Another Job of that name owns other pods.
  if (record(job['metadata'])['uid'] !== owner.uid) return { kind: 'Gone' };
  const view = narrowJob(job);
  if (!isOverBound(view)) return { kind: 'Present', job: view };
  const message = `the fields that are read from the Job take more than ${bounds.job} bytes`;
  return { kind: 'Unreadable', problem: { kind: 'TooLarge', message } };
};

function isOverBound(job: JobView): boolean {
  return JSON.stringify(job).length > bounds.job;
}

export const listJobs: Over<Reader, Cluster['listJobs']> = (transport, namespace, token, abort) => {
  const listed: Listed<ListedJob> = {
    path: resourcePath('batch/v1', 'jobs', { namespace }),
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
};

const ownController = 'kubernetes.io/job-controller';

/** SuccessCriteriaMet and FailureTarget come first, as soon as the Job's fate is decided (1.31+). */
function narrowJob(job: Json): JobView {
  const status = record(job['status']);
  const spec = record(job['spec']);
  const template = record(record(spec['template'])['spec']);
  const conditions = records(status['conditions']).filter((condition) => condition['status'] === 'True');
  const find = (...types: unknown[]) => conditions.find(({ type }) => types.includes(type));
  const failed = find('Failed', 'FailureTarget');
  const uncounted = record(status['uncountedTerminatedPods']);
  const [succeededUids, failedUids] = [texts(uncounted['succeeded']), texts(uncounted['failed'])];
  const managedBy = filled(spec['managedBy']);
  const failedIndexes = indexRanges(text(status['failedIndexes']) ?? '');
  const retries = integer(spec['backoffLimitPerIndex']);
  return {
    containers: namesOf(records(template['containers'])),
    nativeSidecars: namesOf(records(template['initContainers']).filter(isNative)),
    complete: find('Complete', 'SuccessCriteriaMet') !== undefined,
    failed: failed && (text(failed['reason']) ?? ''),
    uncounted: [...succeededUids, ...failedUids],
    // The server fills in its default; without it, no retry can be relied on.
    backoffLimit: integer(spec['backoffLimit']) ?? 0,
    // The controller adds an ended pod to the counter a moment after it has written down its uid.
    failedPods: (integer(status['failed']) ?? 0) + failedUids.length,
    succeededPods: (integer(status['succeeded']) ?? 0) + succeededUids.length,
    failedIndexes,
    perIndex:
      retries === undefined
        ? undefined
        : {
            retries,
            maxFailed: integer(spec['maxFailedIndexes']),
            failed: failedIndexes.reduce((sum, [first, last]) => sum + last - first + 1, 0),
          },
    failureRules: records(record(spec['podFailurePolicy'])['rules']).map((rule) => ({
      action: text(rule['action']) ?? '',
      on: narrowCriterion(rule),
    })),
    otherController: managedBy === ownController ? undefined : managedBy,
    // A number that cannot be read is never reached.
    completions:
      (spec['completions'] ?? undefined) === undefined
        ? undefined
        : (integer(spec['completions']) ?? Number.POSITIVE_INFINITY),
    hasSuccessPolicy: isRecord(spec['successPolicy']),
  };
}

function namesOf(containers: readonly Json[]): readonly string[] {
  return containers.flatMap(({ name }) => text(name) ?? []);
}

function isNative({ restartPolicy }: Json): boolean {
  return restartPolicy === 'Always';
}

/** The ranges of a list such as `1,3-5,7`. */
function indexRanges(written: string): JobView['failedIndexes'] {
  const ranges = written.split(',').filter((part) => part !== '');
  return ranges.map((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return [first, last];
  });
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
export const raiseBackoffLimit: Over<Writer, Cluster['raiseBackoffLimit']> = async (
  transport,
  namespace,
  { name, uid },
  { from, to },
  abort,
) => {
  const body = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/spec/backoffLimit', value: from },
    { op: 'replace', path: '/spec/backoffLimit', value: to },
  ];
  const contentType = 'application/json-patch+json';
  const path = resourcePath('batch/v1', 'jobs', { namespace, name });
  return concludeWrite(await transport.send({ method: 'PATCH', path, body, contentType }, abort), 'Job');
};

export const readTemplate: Over<Reader, Origins['readTemplate']> = async (
  transport,
  namespace,
  { kind, name, uid },
  abort,
) => {
  const resource = kind === 'CronJob' ? 'cronjobs' : 'jobs';
  const path = resourcePath('batch/v1', resource, { namespace, name });
  const reading = await readNamed(transport, { path, kind, name }, abort);
  if (reading.kind !== 'Present') return reading;
  const metadata = record(reading.body['metadata']);
  if (metadata['uid'] !== uid) return { kind: 'Gone' };
  const controller = controllerIn(records(metadata['ownerReferences']));
  const spec = record(reading.body['spec']);
  const job = kind === 'CronJob' ? record(record(spec['jobTemplate'])['spec']) : spec;
  const template = record(job['template']);
  const pod = record(template['spec']);
  const initContainers = records(pod['initContainers']);
  const annotations = record(template['metadata'])['annotations'];
  return {
    kind: 'Present',
    template: {
      uid,
      owner: controller && narrowOwner(controller),
      generation: integer(metadata['generation']),
      containers: namesOf(records(pod['containers'])),
      nativeSidecars: namesOf(initContainers.filter(isNative)),
      initContainers: initContainers.length,
      hasMetadata: isRecord(template['metadata']),
      annotations: isRecord(annotations) ? strings(annotations) : undefined,
    },
  };
};
