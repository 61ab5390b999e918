import { killed, observe, type Watched } from '../model/observation.ts';
import type { PodReading } from '../model/reading.ts';
import { cannotStartReason } from '../model/swap.ts';
import type { Clock } from '../util/time.ts';
import { brokenNote, harmNote, type NoteOf, type Notes } from './notes.ts';
import type { ReadOptions } from './readers.ts';

interface LearnOptions extends Omit<ReadOptions<'readPod'>, 'emit'> {
  readonly clock: Clock;
}

/**
 * Reads how sidecars ended that earlier sweeps did not wait for. From here on, the promises that they broke are known. Returns the
 * harm, which no report has told yet.
 */
export async function learnUnseenEnds(
  notes: Pick<Notes, 'unseen' | 'add' | 'drop'>,
  { cluster, clock, slots, stop }: LearnOptions,
): Promise<Notes['harms']> {
  const harms = new Map<string, NoteOf<'Harmed'>>();
  const learn = async (note: NoteOf<'Unseen'>) => {
    const { namespace, pod: name, uid, swappedFor, promises, harm } = note;
    const end = lateEndOf(await cluster.readPod({ namespace, name, uid }, stop), note);
    if (end === 'NotYet') return;
    notes.drop(note);
    if (end === 'Unknown' || end === 0) return;
    const now = clock.now();
    const by = swappedFor === undefined ? 'Unclean' : 'NotStarted';
    for (const promise of end === killed ? [] : promises) notes.add(brokenNote(promise, namespace, now, by));
    if (harm && end !== 'NotPulled')
      harms.set(uid, harmNote({ namespace, name }, harm.job, harm.kind, true, now));
  };
  await Promise.all(notes.unseen.map((note) => slots(() => learn(note))));
  return [...harms.values()];
}

/** An exit code, unless the end is unknown, or the container waits for its no-op image in vain. */
type LateEnd = number | 'NotYet' | 'NotPulled' | 'Unknown';

function lateEndOf(reading: PodReading, watched: Watched): LateEnd {
  // Another client has ended the pod.
  if (reading.kind === 'Present' && (reading.pod.deleting || reading.pod.disrupted)) return 'Unknown';
  const seen = observe(reading, watched);
  switch (seen.kind) {
    case 'Exited':
      return seen.exitCode;
    case 'Restarted':
      return seen.exitCode ?? 'Unknown';
    case 'NotStarted':
      return seen.ended ?? (cannotStartReason(seen.reason) ? 'NotPulled' : 'NotYet');
    case 'Running':
    case 'Unreadable':
      return 'NotYet';
    case 'Gone':
    case 'Replaced':
      return 'Unknown';
  }
}
