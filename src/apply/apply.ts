import { brokenNote, hashOf, type Note, type Notes, nameOfStep } from '../facts/notes.ts';
import { mayHaveWorked } from '../methods/attempt.ts';
import { newImageOf } from '../methods/index.ts';
import { hasEnded } from '../model/observation.ts';
import { jobOf } from '../model/pod.ts';
import type { UncleanExit } from '../model/step.ts';
import type { Warning } from '../model/warning.ts';
import { isUnderWay, timeOfProof, timeToShow } from '../plan/attempts.ts';
import { harmOf } from '../plan/harm.ts';
import { namespaceOf, promiseOf } from '../plan/promises.ts';
import type { PodConclusion } from '../plan/sweep-event.ts';
import { type PodPlan, type SweepPlan, timeOf } from '../plan/sweep-plan.ts';
import { onAbort } from '../util/concurrency.ts';
import type { Clock, Millis } from '../util/time.ts';
import { FuseGate } from './gates/fuse.ts';
import { JobBudgetGate } from './gates/job-budget.ts';
import { NodeLimitGate } from './gates/node-limit.ts';
import { lastReading, type PodRun } from './pod-run.ts';
import { Scheduler, type SchedulerOptions } from './scheduler.ts';
import { isSwapped, type OpenSidecar } from './sidecar-run.ts';

/** The pods of a sweep; they are taken out as they begin, so that concluded pods take no memory. */
export interface Work extends Pick<SweepPlan, 'asOf'> {
  readonly pods: PodPlan[];
  /** The pods that come after these, which did not fit into the memory; undefined if there are none. */
  readonly next?: () => Promise<PodPlan[] | undefined>;
}

export interface ApplyOptions
  extends Omit<SchedulerOptions, 'cut' | 'fuse' | 'gates' | 'runOptions' | 'onConcluded'> {
  readonly notes: Notes;
}

/** After a stop, requests that are under way get this long before they are cut, and the notes after them. */
const timeToStop: Millis = 2_000;
const timeToNote: Millis = 500;

/** Carries out a plan: many pods at once, bounded by gates and slots. */
export async function applyPlan({ pods, next }: Work, options: ApplyOptions): Promise<void> {
  const { clock, stop, notes, policy } = options;
  const done = new AbortController();
  const cut = abortLater(stop, timeToStop, clock, done.signal);
  const fuse = new FuseGate((promise, by) =>
    notes.add(brokenNote(hashOf(promise), namespaceOf(promise), clock.now(), by)),
  );
  const scheduler = new Scheduler({
    ...options,
    cut,
    fuse,
    gates: [fuse, new JobBudgetGate(), new NodeLimitGate()],
    runOptions: {
      maxGrace: policy.maxGrace,
      begun: (step, { containerId }, plan) =>
        timeOf(plan) <= policy.maxGrace
          ? undefined
          : notes.begun(nameOfStep(plan.candidate.pod.ref, containerId, step)),
    },
    onConcluded(run, conclusion) {
      const { pod, targets, harm } = conclusion;
      for (const one of notes.unseen.filter(({ uid }) => uid === pod.uid)) {
        const target = targets.find(({ container }) => container === one.container);
        if (target?.attempts.some(mayHaveWorked)) notes.drop(one);
        else if (harm) notes.add({ ...one, harm: undefined });
      }
      const made = notesOf(run, conclusion, policy.uncleanExit, clock.now());
      for (const note of made) notes.add(note);
      const warning = made.flatMap((note) => mayHarm(note, clock.now()))[0];
      if (warning) options.emit({ kind: 'Warned', warning });
    },
  });
  for (
    let portion: PodPlan[] | undefined = pods;
    portion;
    portion = stop.aborted ? undefined : await next?.()
  ) {
    await scheduler.run(portion);
  }
  const isNoted = await notes.written(abortLater(stop, timeToNote, clock, done.signal));
  if (!isNoted) options.emit({ kind: 'Warned', warning: { kind: 'NotRemembered' } });
  done.abort();
}

/** Notes for the next sweep: steps that may still work in the pod, and harm to its work. */
function notesOf(run: PodRun, { harm }: PodConclusion, mode: UncleanExit, now: Millis): readonly Note[] {
  const { ref } = run.plan.candidate.pod;
  const { namespace, name: pod } = ref;
  const open = run.sidecars.flatMap((sidecar): readonly Note[] => {
    if (sidecar.kind !== 'Open') return [];
    const { attempts, watched } = sidecar;
    const unseen = unseenIn(run, sidecar, harm, mode, now);
    if (!isUnderWay(attempts)) return unseen;
    const begun = attempts.filter(mayHaveWorked).map((attempt) => {
      const { step, sentAt: at, due = at + timeToShow(attempt) } = attempt;
      const what = hashOf(nameOfStep(ref, watched.containerId, step));
      return { kind: 'Begun', namespace, what, at, due } as const;
    });
    return [...begun, ...unseen];
  });
  if (!harm?.job || harm.kind === 'PodFailed') return open;
  const { job, kind, expected } = harm;
  return [...open, { kind: 'Harmed', namespace, pod, job: job.name, harm: kind, expected, at: now }];
}

/** What a sweep that does not wait says of a sidecar whose exit code nothing promises. */
function mayHarm(note: Note, now: Millis): readonly Warning[] {
  if (note.kind !== 'Unseen' || !note.harm || note.promises.length > 0 || note.due <= now) return [];
  const { namespace, pod: name, harm } = note;
  return [{ kind: 'JobMayBeHarmed', namespace, name, job: harm.job, harm: harm.kind }];
}

/**
 * A sidecar that may yet end by what was sent to it, if an unclean end breaks a promise, or costs its Job something. One that seems
 * to have outlived it may have ended in time: a kubelet that hangs tells that later.
 */
function unseenIn(
  run: PodRun,
  sidecar: OpenSidecar,
  told: PodConclusion['harm'],
  mode: UncleanExit,
  now: Millis,
): readonly Note[] {
  const { container, attempts } = sidecar;
  const { candidate, uncleanCost: cost } = run.plan;
  // After a swap, only the end of the no-op image shows.
  const isSwap = isSwapped(sidecar);
  const watched = isSwap ? sidecar.watched : { ...sidecar.watched, swappedFor: undefined };
  const sent = attempts.filter(mayHaveWorked);
  const meant = sent.filter(({ step }) => (newImageOf(step) !== undefined) === isSwap);
  const due = Math.max(timeOfProof(attempts), attempts.at(-1)?.due ?? Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(due) || hasEnded(lastReading(run), watched)) return [];
  const promises = meant.flatMap(({ step }) => promiseOf(run.plan, [container], step, mode)).map(hashOf);
  const ends = [{ container, exitCode: undefined }];
  const cut = { ends, end: 'Failed', job: { kind: 'Unknown', problem: 'unseen' }, isCut: true } as const;
  const kind = harmOf({ candidate, cost, attempts, seen: run.seen, ...cut })?.kind;
  const job = jobOf(candidate.pod);
  // The harm to a pod is told once.
  const isNew = kind && kind !== 'PodFailed' && !told;
  // Later, the Job may fail for another cause.
  const isRemoved = candidate.pod.restartPolicy === 'OnFailure' && due > now;
  const harm = job && isNew ? { job: job.name, ...(isRemoved && { uid: job.uid }), kind } : undefined;
  if (promises.length === 0 && !harm) return [];
  const { namespace, name: pod, uid } = candidate.pod.ref;
  return [{ kind: 'Unseen', namespace, pod, uid, ...watched, promises, harm, due, at: now }];
}

/** A signal that follows another one with this time between them, or at once when all is done. */
function abortLater(stop: AbortSignal, time: Millis, clock: Clock, done: AbortSignal): AbortSignal {
  const later = new AbortController();
  const follow = () => void clock.sleep(time, done).then(() => later.abort(stop.reason));
  onAbort(stop, follow);
  return later.signal;
}
