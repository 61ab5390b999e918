import type { Owner } from '../../model/pod.ts';
import type { Cluster, LimitRaise } from '../../model/ports.ts';
import type { Emit } from '../../plan/sweep-event.ts';
import type { Slots } from '../../util/concurrency.ts';
import { backOff, type Random } from '../../util/retry.ts';
import type { Clock } from '../../util/time.ts';

/** Whether a Job lives with what a step may cost it: now, once other pods have ended, or not at all. */
export type Room = 'Taken' | 'Full' | 'None';

/** What one look at a Job and its pods shows. */
export interface Look {
  readonly room: Room;
  /** Its backoffLimit; undefined if it was not read. */
  readonly limit?: number;
  /** The backoffLimit that would make room, where nothing else does. */
  readonly needed?: number;
}

interface Options {
  readonly namespace: string;
  readonly owner: Owner;
  /** Takes room in the Job as it is now, or says what would make some. */
  readonly look: () => Promise<Look>;
  readonly cluster: Pick<Cluster, 'raiseBackoffLimit'>;
  readonly slots: Slots;
  readonly clock: Clock;
  readonly random: Random;
  readonly emit: Emit;
  readonly stop: AbortSignal;
  readonly cut: AbortSignal;
}

/** Somebody else may change the Job, or the server may be busy. */
const mostTries = 4;

/** Takes room in a Job, for which its backoffLimit is raised if nothing else can make some. */
export async function raiseLimit(options: Options): Promise<Room> {
  const { namespace, owner, look, cluster, slots, clock, random, emit, stop, cut } = options;
  const report = ({ from, to }: LimitRaise): void =>
    emit({ kind: 'Warned', warning: { kind: 'BackoffLimitRaised', namespace, job: owner.name, from, to } });
  let unconfirmed: LimitRaise | undefined;
  for (let tries = 1; ; tries++) {
    const { room, limit: from, needed: to } = await look();
    if (unconfirmed && from === unconfirmed.to) report(unconfirmed);
    if (from === undefined || to === undefined || stop.aborted || tries > mostTries) return room;
    const raise = { from, to };
    const result = await slots(() => cluster.raiseBackoffLimit(namespace, owner, raise, cut));
    unconfirmed = undefined;
    switch (result.kind) {
      case 'Written':
        report(raise);
        break;
      case 'Conflict':
        break;
      case 'Refused':
      case 'Rejected':
        return room;
      case 'Unconfirmed':
        unconfirmed = raise;
        await clock.sleep(backOff(tries, random), stop);
        break;
      case 'Busy':
      case 'Undelivered':
        await clock.sleep(backOff(tries, random), stop);
        break;
    }
  }
}
