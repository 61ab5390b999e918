import type { JobFacts } from '../model/facts.ts';
import { jobKey, jobOf, type Owner } from '../model/pod.ts';
import type { Candidate } from '../model/verdict.ts';
import type { Cluster, JobReading, Slots } from '../ports.ts';
import type { JobReader, OwnedJob } from './jobs.ts';

interface Options {
  readonly jobs: Pick<JobReader, 'readAll'>;
  readonly cluster: Pick<Cluster, 'listJobPods'>;
  readonly slots: Slots;
  readonly stop: AbortSignal;
}

/** What planning must know of the Jobs that own candidates, by their keys; each is read once. */
export async function gatherJobFacts(
  candidates: readonly Candidate[],
  { jobs, cluster, slots, stop }: Options,
): Promise<ReadonlyMap<string, JobFacts>> {
  const owned = new Map<string, OwnedJob & { readonly candidate: Candidate }>();
  for (const candidate of candidates) {
    const owner = jobOf(candidate.pod);
    const { namespace } = candidate.pod.ref;
    if (owner) owned.set(jobKey(namespace, owner), { namespace, owner, candidate });
  }
  const readings = await jobs.readAll([...owned.values()], slots, stop);
  const factsOf = async (reading: JobReading, owner: Owner, { pod }: Candidate): Promise<JobFacts> => {
    const { namespace } = pod.ref;
    if (reading.kind !== 'Present') return reading.kind === 'Gone' ? reading : { kind: 'Unreadable' };
    // Only under OnFailure does a Job count restarts.
    if (pod.restartPolicy !== 'OnFailure') return { kind: 'Known', job: reading.job, restarts: 0 };
    const pods = await slots(() => cluster.listJobPods(namespace, owner, stop));
    if (!pods) return { kind: 'Unreadable' };
    return { kind: 'Known', job: reading.job, restarts: pods.reduce((sum, one) => sum + one.restarts, 0) };
  };
  const facts = await Promise.all(
    [...readings].flatMap(([key, reading]) => {
      const one = owned.get(key);
      return one ? [factsOf(reading, one.owner, one.candidate).then((known) => [key, known] as const)] : [];
    }),
  );
  return new Map(facts);
}
