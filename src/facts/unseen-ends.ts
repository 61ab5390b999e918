import { killed, observe, type Watched } from '../model/observation.ts';
import type { PodReading } from '../model/reading.ts';
import { cannotStartReason } from '../model/swap.ts';
import { aheadBy, type Clock, type Millis } from '../util/time.ts';
import type { JobReader } from './job-reader.ts';
import { brokenNote, type NoteOf, type Notes } from './notes.ts';
import type { ReadOptions } from './readers.ts';

interface LearnOptions extends Omit<ReadOptions<'readPod'>, 'emit'> {
  readonly clock: Clock;
  readonly jobs: Pick<JobReader, 'read'>;
}

/** Learns how sidecars ended that earlier sweeps did not wait for. Returns the harm, which no report has told yet. */
export async function learnUnseenEnds(
  notes: Pick<Notes, 'unseen' | 'add' | 'drop'>,
  { cluster, clock, slots, stop, jobs }: LearnOptions,
): Promise<Notes['harms']> {
  const harms = new Map<string, NoteOf<'Harmed'>>();
  const later: NoteOf<'Unseen'>[] = [];
  const learn = async (note: NoteOf<'Unseen'>) => {
    const { namespace, pod: name, uid, swappedFor, promises, harm } = note;
    const reading = await cluster.readPod({ namespace, name, uid }, stop);
    const asOf = reading.kind === 'Present' ? reading.asOf : undefined;
    const end = isTakenAway(reading)
      ? await endOfJob(note, jobs, stop)
      : lateEndOf(reading, note, note.due + aheadBy(asOf, clock));
    if (end === 'NotYet') {
      later.push(note);
      return;
    }
    notes.drop(note);
    if (end === 'Unknown' || end === 0) return;
    const now = clock.now();
    const by = swappedFor === undefined ? 'Unclean' : 'NotStarted';
    const isProof = end !== killed && end !== 'JobFailed';
    for (const promise of isProof ? promises : []) notes.add(brokenNote(promise, namespace, now, by));
    const expected = end === 'JobFailed' ? undefined : true;
    if (harm && end !== 'NotPulled') {
      const told = { job: harm.job, harm: harm.kind, expected } as const;
      harms.set(uid, { kind: 'Harmed', namespace, pod: name, ...told, at: now });
    }
  };
  await Promise.all(notes.unseen.map((note) => slots(() => learn(note))));
  // The harm to a pod is told once, however many of its sidecars are still to end.
  for (const note of later) if (harms.has(note.uid)) notes.add({ ...note, harm: undefined });
  return [...harms.values()];
}

/** An exit code, unless the end is unknown, or the container waits for its no-op image in vain. */
type LateEnd = number | 'NotYet' | 'NotPulled' | 'Unknown';

/** Whether the pod was removed, by its Job or by another client. */
function isTakenAway(reading: PodReading): boolean {
  return (
    reading.kind === 'Gone' || (reading.kind === 'Present' && reading.pod.deleting && !reading.pod.disrupted)
  );
}

/** A Job that fails under OnFailure removes its pods (recorded: job-backoff-zero-onfailure-deletes-pod). */
async function endOfJob(
  { namespace, harm }: NoteOf<'Unseen'>,
  jobs: Pick<JobReader, 'read'>,
  abort: AbortSignal,
): Promise<'JobFailed' | 'NotYet' | 'Unknown'> {
  if (harm?.uid === undefined) return 'Unknown';
  const owner = { group: 'batch', kind: 'Job', name: harm.job, uid: harm.uid };
  const reading = await jobs.read(namespace, owner, abort);
  if (reading.kind === 'Unreadable') return 'NotYet';
  const failed = reading.kind === 'Present' && !reading.job.complete ? reading.job.failed : undefined;
  return failed === undefined || failed === 'DeadlineExceeded' ? 'Unknown' : 'JobFailed';
}

function lateEndOf(reading: PodReading, watched: Watched, due: Millis): LateEnd {
  // Another client has ended the pod.
  if (reading.kind === 'Present' && reading.pod.disrupted) return 'Unknown';
  const seen = observe(reading, watched);
  const isSwap = watched.swappedFor !== undefined;
  // What ended later ended by itself, or by another client. A swap that shows no no-op image has not arrived.
  const ownEnd = (exitCode = 0, finishedAt = due) => (isSwap || finishedAt > due ? 'Unknown' : exitCode);
  switch (seen.kind) {
    case 'Exited':
      return seen.swapped || seen.unstarted ? seen.exitCode : ownEnd(seen.exitCode, seen.finishedAt);
    case 'Restarted':
      return ownEnd(seen.exitCode, seen.finishedAt);
    case 'NotStarted':
      return seen.ended ?? (cannotStartReason(seen.reason) ? 'NotPulled' : 'NotYet');
    case 'Running':
      // A kubelet that hangs shows late what ended in time, and it may carry out a swap at any time.
      return 'NotYet';
    case 'Unreadable':
      return 'NotYet';
    case 'Gone':
    case 'Replaced':
      return 'Unknown';
  }
}
