import { needs, withGrant } from '../../methods/permissions.ts';
import type { PodOutcome } from '../../model/outcome.ts';
import type { PodRef } from '../../model/pod.ts';
import type { Events, PodEvent } from '../../model/ports.ts';
import type { Problem } from '../../model/reading.ts';
import type { HarmDone, PodConclusion, SweepEvent } from '../../plan/sweep-event.ts';
import { adviseCommand, howToPrevent } from '../../report/texts/advice.ts';
import { describeContainer, describeEnd, describeHarm } from '../../report/texts/outcomes.ts';
import { printable } from '../../util/text.ts';
import type { Clock, Millis } from '../../util/time.ts';
import type { Log } from './log.ts';

interface PodEventOptions {
  readonly events: Events;
  readonly clock: Clock;
  readonly reporter: string;
  readonly log: Pick<Log, 'fail'>;
}

const mostEvents = 200;
const timeToFinish: Millis = 5_000;

/** Events are written one at a time, without delaying the sweep; a namespace that forbids one gets no more. */
export function createPodEvents({ events, clock, reporter, log }: PodEventOptions) {
  const cut = new AbortController();
  const forbidden = new Set<string>();
  let requested = 0;
  let written = 0;
  let problem: Problem | undefined;
  let writing = Promise.resolve();

  async function write(event: PodEvent): Promise<void> {
    const { namespace } = event.regarding;
    if (cut.signal.aborted || forbidden.has(namespace)) return;
    const failure = await events.createEvent(event, cut.signal);
    if (failure === undefined) written++;
    else if (!cut.signal.aborted) problem = failure;
    if (failure?.kind === 'Forbidden') forbidden.add(namespace);
  }

  function enqueue(event: Omit<PodEvent, 'reporter' | 'at'>, ignoresLimit = false): void {
    if (++requested > mostEvents && !ignoresLimit) return;
    const at = clock.now();
    writing = writing.then(() => write({ ...event, reporter, at }));
  }

  return {
    hear(event: SweepEvent) {
      if (event.kind !== 'PodConcluded') return;
      const { pod, harm } = event.conclusion;
      const note = toPodNote(event.conclusion);
      if (note) enqueue({ ...note, regarding: { kind: 'Pod', ...pod } });
      if (!harm) return;
      const { namespace } = pod;
      const job = harm.job && ({ kind: 'Job', namespace, name: harm.job.name, uid: harm.job.uid } as const);
      enqueue({ ...toHarmNote(pod, harm), regarding: job ?? { kind: 'Pod', ...pod } }, true);
    },
    async finish(late: AbortSignal) {
      const done = new AbortController();
      await Promise.race([writing, clock.sleep(timeToFinish, AbortSignal.any([done.signal, late]))]);
      done.abort();
      cut.abort();
      if (written === requested) return;
      const otherwise = requested > mostEvents ? `the limit is ${mostEvents}` : 'it took too long';
      const reason = problem ? withGrant(problem, needs.events.rules) : otherwise;
      log.fail(`${written} of ${requested} events were written: ${reason}`);
    },
  };
}

/** The API server accepts up to 1024 bytes, and a character has up to four; a command follows. */
const mostCharacters = 220;

/** The Event for a pod's conclusion; undefined if nothing was done about the pod, or it no longer exists. */
export function toPodNote({ pod, targets, outcome, mainFailed }: PodConclusion) {
  const reason = reasons[outcome.kind];
  if (reason === undefined) return undefined;
  const each = targets.map(({ container, outcome }) => `${container} ${describeContainer(outcome)}`);
  const became = printable([...each, `pod ${describeEnd(outcome, mainFailed)}`].join('; '), mostCharacters);
  const note = `${became}. ${howToPrevent} ${adviseCommand([pod.namespace])}`;
  return { reason, type: reason === 'SidecarStopped' ? 'Normal' : 'Warning', note } as const;
}

const reasons = {
  Ended: 'SidecarStopped',
  Unsettled: 'SidecarStopped',
  Blocked: 'SidecarBlocked',
  Stuck: 'SidecarNotStopped',
  Skipped: 'SidecarNotStopped',
  Unproven: 'SidecarNotStopped',
  Gone: undefined,
  Replaced: undefined,
  NotAttempted: undefined,
} as const satisfies Record<PodOutcome['kind'], string | undefined>;

/** The Event for what a sweep did to a Job or, without one, to a pod: it may be gone, and its own Events with it. */
export function toHarmNote({ name }: PodRef, harm: HarmDone) {
  const { kind } = harm;
  const what = `${kind === 'PodFailed' ? 'it' : 'its Job'} ${describeHarm(harm)}`;
  return {
    reason: `Finished${kind === 'RunsAgain' ? 'WorkRunsAgain' : kind}`,
    type: 'Warning',
    note: printable(`the mains of pod ${name} had succeeded, but because of a sweep ${what}`),
  } as const;
}
