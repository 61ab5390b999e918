import { needs, withGrant } from '../../methods/permissions.ts';
import type { Events, PodEvent } from '../../model/ports.ts';
import type { Problem } from '../../model/reading.ts';
import type { Emit } from '../../plan/sweep-event.ts';
import { toHarmNote, toPodNote } from '../../report/sweep/messages.ts';
import type { Clock, Millis } from '../../util/time.ts';
import type { Log } from './log.ts';

export interface PodEvents {
  readonly hear: Emit;
  /** Waits for pending Events, up to a time limit, or until it is late. */
  finish(late: AbortSignal): Promise<void>;
}

interface PodEventOptions {
  readonly events: Events;
  readonly clock: Clock;
  readonly reporter: string;
  readonly log: Pick<Log, 'fail'>;
}

const mostEvents = 200;
const timeToFinish: Millis = 5_000;

/** Writes Events one by one beside the sweep, which never waits for them, and no more of them in a namespace that forbids it. */
export function createPodEvents({ events, clock, reporter, log }: PodEventOptions): PodEvents {
  const waiting: PodEvent[] = [];
  const cut = new AbortController();
  let heard = 0;
  let written = 0;
  let problem: Problem | undefined;
  const forbidden = new Set<string>();
  let writing = Promise.resolve();

  async function writeNext(): Promise<void> {
    const event = waiting.shift();
    if (!event || cut.signal.aborted || forbidden.has(event.regarding.namespace)) return;
    const failure = await events.createEvent(event, cut.signal);
    if (failure === undefined) written++;
    else if (!cut.signal.aborted) problem = failure;
    if (failure?.kind === 'Forbidden') forbidden.add(event.regarding.namespace);
  }

  function write(event: PodEvent, isNeverLeftOut = false): void {
    if (++heard > mostEvents && !isNeverLeftOut) return;
    waiting.push(event);
    writing = writing.then(writeNext);
  }

  return {
    hear(event) {
      if (event.kind !== 'PodConcluded') return;
      const { pod, harm } = event.conclusion;
      const note = toPodNote(event.conclusion);
      if (note) write({ ...note, regarding: { kind: 'Pod', ...pod }, reporter, at: clock.now() });
      if (harm) {
        const { job } = harm;
        const regarding = job
          ? ({ kind: 'Job', namespace: pod.namespace, name: job.name, uid: job.uid } as const)
          : ({ kind: 'Pod', ...pod } as const);
        write({ ...toHarmNote(pod, harm), regarding, reporter, at: clock.now() }, true);
      }
    },
    async finish(late) {
      const done = new AbortController();
      await Promise.race([writing, clock.sleep(timeToFinish, AbortSignal.any([done.signal, late]))]);
      done.abort();
      cut.abort();
      if (written === heard) return;
      const otherwise = heard > mostEvents ? `the limit is ${mostEvents}` : 'it took too long';
      const reason = problem ? withGrant(problem, needs.events.rules) : otherwise;
      log.fail(`${written} of ${heard} events were written: ${reason}`);
    },
  };
}
