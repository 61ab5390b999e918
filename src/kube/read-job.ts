import type { JobReading } from '../ports.ts';
import type { JobView, Owner } from '../vocabulary.ts';
import { type Json, record, records, text, texts } from './json.ts';
import { jobPath } from './paths.ts';
import { readObject } from './read-object.ts';
import type { Transport } from './transport.ts';

/** Reads how far a Job has come. */
export async function readJob(
  transport: Pick<Transport, 'get'>,
  namespace: string,
  owner: Owner,
  abort: AbortSignal,
): Promise<JobReading> {
  const reading = await readObject(transport, jobPath(namespace, owner.name), abort);
  if (reading.kind !== 'Present') return reading;
  const job = record(reading.body);
  if (job['kind'] !== 'Job') {
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message: 'not a Job' } };
  }
  // Another Job of that name owns other pods.
  if (record(job['metadata'])['uid'] !== owner.uid) return { kind: 'Gone' };
  return { kind: 'Present', job: narrowJob(job) };
}

/** SuccessCriteriaMet and FailureTarget come first, as soon as the Job's fate is decided (1.31+). */
function narrowJob(job: Json): JobView {
  const status = record(job['status']);
  const template = record(record(record(job['spec'])['template'])['spec']);
  const conditions = records(status['conditions']).filter((condition) => condition['status'] === 'True');
  const find = (...types: string[]) => conditions.find(({ type }) => types.some((wanted) => wanted === type));
  const failed = find('Failed', 'FailureTarget');
  const uncounted = record(status['uncountedTerminatedPods']);
  return {
    containers: records(template['containers']).flatMap(({ name }) => text(name) ?? []),
    complete: find('Complete', 'SuccessCriteriaMet') !== undefined,
    failed: failed && (text(failed['reason']) ?? ''),
    uncounted: [...texts(uncounted['succeeded']), ...texts(uncounted['failed'])],
  };
}
