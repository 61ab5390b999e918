import { jobKey, jobOf } from '../pod/owner.ts';
import type { Cluster, JobReading, Slots } from '../ports.ts';
import type { Candidate, JobFacts, Owner } from '../vocabulary.ts';
import type { JobReader } from './jobs.ts';

interface Options {
  readonly jobs: JobReader;
  readonly cluster: Pick<Cluster, 'listJobPods'>;
  readonly slots: Slots;
  readonly stop: AbortSignal;
}

/** What planning must know of the Jobs that own candidates, by their keys; each is read once. */
export async function gatherJobFacts(
  candidates: readonly Candidate[],
  { jobs, cluster, slots, stop }: Options,
): Promise<ReadonlyMap<string, JobFacts>> {
  const owned = new Map<string, { readonly owner: Owner; readonly candidate: Candidate }>();
  for (const candidate of candidates) {
    const owner = jobOf(candidate.pod);
    if (owner) owned.set(jobKey(candidate.pod.ref.namespace, owner), { owner, candidate });
  }
  const read = async (owner: Owner, { pod }: Candidate): Promise<JobFacts> => {
    const { namespace } = pod.ref;
    const before = jobs.readBefore(namespace, owner);
    const reading: JobReading = before
      ? { kind: 'Present', job: before }
      : await slots(() => jobs.read(namespace, owner, stop));
    if (reading.kind !== 'Present') return reading.kind === 'Gone' ? reading : { kind: 'Unreadable' };
    // Only under OnFailure does a Job count restarts.
    if (pod.restartPolicy !== 'OnFailure') return { kind: 'Known', job: reading.job, restarts: 0 };
    const pods = await slots(() => cluster.listJobPods(namespace, owner, stop));
    if (!pods) return { kind: 'Unreadable' };
    return { kind: 'Known', job: reading.job, restarts: pods.reduce((sum, one) => sum + one.restarts, 0) };
  };
  const facts = await Promise.all(
    [...owned].map(async ([key, { owner, candidate }]) => [key, await read(owner, candidate)] as const),
  );
  return new Map(facts);
}
