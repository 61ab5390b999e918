import { type PodView, willRestart } from '../../model/pod.ts';
import type { PodReading } from '../../model/reading.ts';
import type { Millis } from '../../util/time.ts';
import type { ApplyContext } from '../context.ts';
import { hasEnded, type Watched } from './observation.ts';

/** The kubelet sets the phase 1 to 2 s after the last container ended, the Job controller counts it after that. */
const timeToSettle: Millis = 10_000;
/**
 * The shortest recorded is 1.1 s until the phase, and with a Job another second until that has counted it. The end may have been
 * there for half a second when it was read.
 */
const soonest = { phase: 600, counted: 1_600 } as const;

/** What every native sidecar is left to end on TERM when it is its turn, however little is left of the grace period. */
const shortestGraceInTurn: Millis = 2_000;

/**
 * Native sidecars are told to end only after the regular containers, one after the other within the pod's whole grace period.
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination-flow
 */
function timeFor({ grace, nativeSidecars: { length } }: PodView): Millis {
  return timeToSettle + (length === 0 ? 0 : grace + length * shortestGraceInTurn);
}

/**
 * The pod as it is once nothing more follows from what was sent, or once that takes too long.
 * @param last How it was read last. That a container has ended stays true; that it runs is read again.
 */
export async function readSettled(
  pod: PodView,
  watched: readonly Watched[],
  last: PodReading | undefined,
  { cluster, slots, poller, cut }: ApplyContext,
): Promise<PodReading> {
  const read = () => slots(() => cluster.readPod(pod.ref, cut));
  const hasEndedAll = last !== undefined && watched.every((one) => hasEnded(last, one));
  const reading = hasEndedAll ? last : await read();
  if (isSettled(reading, watched)) return reading;
  const settled = await poller.until(
    pod.ref,
    (later) => isSettled(later, watched),
    timeFor(pod),
    soonestFor(reading),
  );
  if (settled) return settled;
  const final = await read();
  return final.kind === 'Unreadable' && hasEndedAll ? last : final;
}

/** When the pod may be settled at the earliest; undefined where that is not known. */
function soonestFor(reading: PodReading): Millis | undefined {
  if (reading.kind !== 'Present') return undefined;
  const { phase, containers, awaitsJobTracking } = reading.pod;
  const hasJustEnded = phase === 'Running' && containers.every(({ state }) => state.kind === 'Terminated');
  if (!hasJustEnded) return undefined;
  return awaitsJobTracking ? soonest.counted : soonest.phase;
}

/** The pod once its Job, which has failed, has removed it, or as it is when that takes too long. */
export async function readRemoved(
  before: PodReading & { readonly kind: 'Present' },
  { poller }: ApplyContext,
): Promise<PodReading> {
  const { ref } = before.pod;
  return (
    (await poller.until(ref, ({ kind }) => kind !== 'Present' && kind !== 'Unreadable', timeToSettle)) ??
    before
  );
}

/** Whether a reading is final: no phase is still to follow, no restart is still to come, the Job has counted it. */
export function isSettled(reading: PodReading, watched: readonly Watched[]): boolean {
  if (reading.kind !== 'Present') return reading.kind !== 'Unreadable';
  const { pod } = reading;
  if (pod.phase === 'Succeeded' || pod.phase === 'Failed') return !pod.awaitsJobTracking;
  if (pod.containers.every(({ state }) => state.kind === 'Terminated')) return false;
  return !pod.containers.some((container) => {
    const one = watched.find((candidate) => candidate.container === container.name);
    if (one?.containerId !== container.id) return false;
    return (
      container.state.kind === 'Terminated' &&
      willRestart(container, pod.restartPolicy, container.state.exitCode)
    );
  });
}
