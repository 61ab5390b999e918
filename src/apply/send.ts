import { judge } from '../judge/judge.ts';
import { sendCommand } from '../methods/command.ts';
import type {
  Attempt,
  Observation,
  PlannedTarget,
  PodReading,
  PodRef,
  SkipReason,
  Step,
  StopReason,
} from '../types.ts';
import { type ApplyContext, stopReason } from './context.ts';
import { observe } from './observation.ts';

export type Sent =
  | { readonly kind: 'Attempted'; readonly attempt: Attempt }
  /** Not sent: the container does not run any more. */
  | { readonly kind: 'Overtaken'; readonly observation: Observation }
  /** Not sent: the pod is not what it was when it was judged. */
  | { readonly kind: 'Stale'; readonly reason: SkipReason }
  /** Not sent: the sweep is stopping. */
  | { readonly kind: 'Stopped'; readonly reason: StopReason };

/**
 * Reads the pod again and sends the step only if it is still the same pod, the same instance of the container,
 * and still a candidate. Exec has no precondition on the uid, so one request is as small as this gap can be.
 */
export async function recheckAndSend(
  pod: PodRef,
  target: PlannedTarget,
  step: Step,
  context: ApplyContext,
): Promise<Sent> {
  const { cluster, clock, stop, cut } = context;
  if (stop.aborted) return { kind: 'Stopped', reason: stopReason(stop) };
  const began = clock.now();
  const reading = await cluster.readPod(pod, cut);
  if (stop.aborted) return { kind: 'Stopped', reason: stopReason(stop) };
  const attempted = (result: Attempt['result'], sentAt = began): Sent => ({
    kind: 'Attempted',
    attempt: { step, sentAt, duration: clock.now() - sentAt, result },
  });
  if (reading.kind === 'Unreadable') {
    return attempted({
      kind: 'Undelivered',
      message: `the pod could not be read before sending: ${reading.problem.message}`,
    });
  }
  const observation = observe(reading, target.container, target.containerId);
  if (observation.kind !== 'Running') return { kind: 'Overtaken', observation };
  const reason = whyStale(reading, target, context);
  if (reason) return { kind: 'Stale', reason };
  const sentAt = clock.now();
  return attempted(await sendCommand(cluster, pod, target.container, step, cut), sentAt);
}

function whyStale(
  reading: PodReading,
  target: PlannedTarget,
  { policy, facts }: ApplyContext,
): SkipReason | undefined {
  if (reading.kind !== 'Present') return undefined;
  const verdict = judge(reading.pod, policy, reading.asOf, facts);
  switch (verdict.kind) {
    case 'Undecided':
      return { kind: 'Undecided', problem: verdict.problem };
    case 'Excluded':
      return { kind: 'NoLongerCandidate', because: verdict.because };
    case 'NeverStarted':
      return { kind: 'NoLongerCandidate', because: [{ kind: 'NotRunning', phase: verdict.pod.phase }] };
    case 'Candidate': {
      const isSidecar = verdict.sidecars.some(({ container }) => container.name === target.container);
      return isSidecar ? undefined : { kind: 'NoLongerCandidate', because: [{ kind: 'NoSidecar' }] };
    }
  }
}
