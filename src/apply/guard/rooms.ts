import type { JobReader } from '../../facts/jobs.ts';
import { isBeingSwapped } from '../../model/image.ts';
import type { JobView } from '../../model/job.ts';
import {
  type ContainerView,
  jobKey,
  jobOf,
  type Owner,
  type PodView,
  type RestartPolicy,
  willRestart,
} from '../../model/pod.ts';
import type { Cluster } from '../../model/ports.ts';
import { fits } from '../../plan/blocked.ts';
import type { Emit } from '../../plan/sweep-event.ts';
import { type Slots, wokenBy } from '../../util/concurrency.ts';
import type { Random } from '../../util/retry.ts';
import type { Clock } from '../../util/time.ts';
import { type Look, type Room, raiseLimit } from './raise-limit.ts';

interface Options {
  readonly jobs: Pick<JobReader, 'read'>;
  readonly cluster: Pick<Cluster, 'listJobPods' | 'raiseBackoffLimit'>;
  readonly slots: Slots;
  readonly clock: Clock;
  readonly random: Random;
  readonly emit: Emit;
  readonly stop: AbortSignal;
  readonly cut: AbortSignal;
}

/** What one pod may cost its Job, or has cost it. */
interface Guest {
  /** Its restarts before this sweep caused any. */
  readonly before: number;
  readonly more: number;
  /** It is under way, and may give back its room by ending. A pod that waits for room itself is not. */
  readonly isActive: boolean;
}

interface Rooms {
  readonly guests: Map<string, Guest>;
  /** Failed pods that the Job had before this sweep. */
  failedBefore: number | undefined;
  /** One pod asks at a time. */
  asking: Promise<unknown>;
  waiting: (() => void)[];
  /** Counts the changes that may have made room. */
  changes: number;
  /** How many there had been when a pod was told that there is no room yet, by uid. */
  readonly refusedAt: Map<string, number>;
}

/**
 * Keeps what a sweep costs a Job within its backoffLimit. Under OnFailure the Job controller adds up the restarts of all pods
 * that have not ended, and a clean image swap is one of them; a pod that has succeeded counts no more, so that pods which do not
 * fit can wait for those that do (recorded: image-swap-onfailure-wave-fails, image-swap-onfailure-staged).
 */
export class JobRooms {
  readonly #jobs = new Map<string, Rooms>();

  constructor(private readonly options: Options) {}

  /** Takes room for this many restarts or failures, if there is. No limit is raised for what can be waited for. */
  async take(pod: PodView, more: number, mayRaise = false): Promise<Room> {
    const owner = jobOf(pod);
    if (!owner || more === 0) return 'Taken';
    const rooms = this.#roomsOf(jobKey(pod.ref.namespace, owner));
    const answer = rooms.asking.then(async () => {
      const look = () => this.#look(rooms, owner, pod, more);
      const { namespace } = pod.ref;
      return mayRaise ? raiseLimit({ namespace, owner, look, ...this.options }) : (await look()).room;
    });
    rooms.asking = answer.catch(() => undefined);
    return answer;
  }

  /** What was taken room for did not happen. */
  giveBack(pod: PodView, more: number): void {
    const owner = jobOf(pod);
    const rooms = owner && this.#jobs.get(jobKey(pod.ref.namespace, owner));
    const guest = rooms?.guests.get(pod.ref.uid);
    if (!rooms || !guest || more === 0) return;
    if (guest.more > more) rooms.guests.set(pod.ref.uid, { ...guest, more: guest.more - more });
    else rooms.guests.delete(pod.ref.uid);
    wakeAll(rooms);
  }

  /** Resolves when a pod of the same Job has given back its room, or never will. */
  async change(pod: PodView): Promise<void> {
    const owner = jobOf(pod);
    if (!owner) return;
    const rooms = this.#roomsOf(jobKey(pod.ref.namespace, owner));
    if (rooms.refusedAt.get(pod.ref.uid) !== rooms.changes) return;
    // Two pods that hold room and wait for more must not wait for each other.
    this.rest(pod);
    const { waiting } = rooms;
    await wokenBy(this.options.stop, (wake) => waiting.push(wake));
  }

  /** What it took room for has not ended the pod: it keeps the room, and nobody need wait for it. */
  rest(pod: PodView): void {
    const owner = jobOf(pod);
    const rooms = owner && this.#jobs.get(jobKey(pod.ref.namespace, owner));
    const guest = rooms?.guests.get(pod.ref.uid);
    if (!rooms || !guest?.isActive) return;
    rooms.guests.set(pod.ref.uid, { ...guest, isActive: false });
    wakeAll(rooms);
  }

  /** The sweep is done with a pod, which has ended well, has failed, or goes on and keeps its room. */
  leave(pod: PodView, end: 'Succeeded' | 'Failed' | 'Open'): void {
    const owner = jobOf(pod);
    const rooms = owner && this.#jobs.get(jobKey(pod.ref.namespace, owner));
    const guest = rooms?.guests.get(pod.ref.uid);
    if (!rooms || !guest) return;
    // Under Never only a failed pod has cost something; under OnFailure no pod that has ended has.
    const isPaid = end === 'Succeeded' || (end === 'Failed' && pod.restartPolicy === 'OnFailure');
    if (isPaid) rooms.guests.delete(pod.ref.uid);
    else rooms.guests.set(pod.ref.uid, { ...guest, isActive: false });
    wakeAll(rooms);
  }

  async #look(rooms: Rooms, owner: Owner, pod: PodView, more: number): Promise<Look> {
    const { jobs, slots, cut } = this.options;
    const { namespace, uid } = pod.ref;
    const reading = await slots(() => jobs.read(namespace, owner, cut));
    if (reading.kind === 'Gone') return { room: 'Taken' };
    if (reading.kind !== 'Present') return { room: 'None' };
    const { job } = reading;
    const limit = job.backoffLimit;
    const own = rooms.guests.get(uid);
    const before = own?.before ?? pod.restarts;
    const wanted: Guest = { before, more: (own?.more ?? 0) + more, isActive: true };
    const restarts =
      pod.restartPolicy === 'OnFailure' ? await this.#restartsWith(rooms, owner, pod, wanted) : undefined;
    // As they are now: some may have left while the cluster was read.
    const others = [...rooms.guests].filter(([other]) => other !== uid);
    const hasRoom =
      pod.restartPolicy === 'OnFailure'
        ? restarts !== undefined && fits(restarts, limit)
        : fitsFailures(rooms, others, wanted, job);
    if (hasRoom) {
      rooms.guests.set(uid, wanted);
      return { room: 'Taken', limit };
    }
    rooms.refusedAt.set(uid, rooms.changes);
    if (others.some(([, { isActive }]) => isActive)) return { room: 'Full', limit };
    return { room: 'None', limit, ...(restarts !== undefined && { needed: restarts + 1 }) };
  }

  /** What the Job would add up; undefined if its pods cannot be listed. */
  async #restartsWith(
    { guests }: Rooms,
    owner: Owner,
    pod: PodView,
    wanted: Guest,
  ): Promise<number | undefined> {
    const { cluster, slots, cut } = this.options;
    const pods = await slots(() => cluster.listJobPods(pod.ref.namespace, owner, cut));
    if (!pods?.some(({ ref }) => ref.uid === pod.ref.uid)) return undefined;
    const restarts = pods.map((one) => {
      const shown = one.restarts + restartsDue(one);
      const guest = one.ref.uid === pod.ref.uid ? wanted : guests.get(one.ref.uid);
      return guest ? Math.max(shown, guest.before + guest.more) : shown;
    });
    return restarts.reduce((sum, one) => sum + one, 0);
  }

  #roomsOf(key: string): Rooms {
    const rooms = this.#jobs.get(key) ?? {
      guests: new Map(),
      failedBefore: undefined,
      asking: Promise.resolve(),
      waiting: [],
      changes: 0,
      refusedAt: new Map(),
    };
    this.#jobs.set(key, rooms);
    return rooms;
  }
}

function wakeAll(rooms: Rooms): void {
  const { waiting } = rooms;
  rooms.waiting = [];
  rooms.changes++;
  for (const wake of waiting) wake();
}

function restartsDue({ containers, restartPolicy }: PodView): number {
  return containers.filter((container) => isRestartDue(container, restartPolicy)).length;
}

/** The kubelet restarts a container only after a while, and until then its status does not count it. */
function isRestartDue(container: ContainerView, restartPolicy: RestartPolicy): boolean {
  const { state, id } = container;
  switch (state.kind) {
    case 'Running':
      return isBeingSwapped(container);
    case 'Waiting':
      return id !== undefined;
    case 'Terminated':
      return willRestart(container, restartPolicy, state.exitCode);
    case 'Unreported':
      return false;
  }
}

/** With backoffLimitPerIndex, each index has its own retries, which the plan has looked at. */
function fitsFailures(
  rooms: Rooms,
  others: readonly (readonly [string, Guest])[],
  { more }: Guest,
  { backoffLimit, failedPods, perIndex }: JobView,
): boolean {
  if (perIndex) return true;
  rooms.failedBefore ??= failedPods;
  const ours = others.reduce((sum, [, guest]) => sum + guest.more, 0);
  return Math.max(failedPods, rooms.failedBefore + ours) + more <= backoffLimit;
}
