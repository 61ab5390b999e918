import { sendToContainer } from '../methods/index.ts';
import type {
  Attempt,
  ContainerStep,
  Observation,
  PlannedTarget,
  PodRef,
  SkipReason,
  StopReason,
} from '../vocabulary.ts';
import type { ApplyContext } from './context.ts';
import { observe } from './observation.ts';
import { recheck } from './recheck.ts';

export type Sent =
  | { readonly kind: 'Attempted'; readonly attempt: Attempt }
  /** Not sent: the container does not run any more. */
  | { readonly kind: 'Overtaken'; readonly observation: Observation }
  /** Not sent: the pod is not what it was when it was judged. */
  | { readonly kind: 'Stale'; readonly reason: SkipReason }
  /** Not sent: the sweep is stopping. */
  | { readonly kind: 'Stopped'; readonly reason: StopReason };

/** Sends a step if it is still the same pod, the same instance of the container, and still a candidate. */
export async function recheckAndSend(
  pod: PodRef,
  target: PlannedTarget,
  step: ContainerStep,
  context: ApplyContext,
): Promise<Sent> {
  const { cluster, clock, cut } = context;
  const began = clock.now();
  const attempted = (result: Attempt['result'], sentAt: number): Sent => ({
    kind: 'Attempted',
    attempt: { step, sentAt, duration: clock.now() - sentAt, result },
  });
  const checked = await recheck(pod, context);
  switch (checked.kind) {
    case 'Stopped':
      return checked;
    case 'Unread': {
      const message = `the pod could not be read before sending: ${checked.problem.message}`;
      return attempted({ kind: 'Undelivered', message }, began);
    }
    case 'Absent':
      return { kind: 'Overtaken', observation: observe(checked.reading, target) };
    case 'Stale':
    case 'Candidate': {
      const observation = observe(checked.reading, target);
      if (observation.kind !== 'Running') return { kind: 'Overtaken', observation };
      if (checked.kind === 'Stale') return { kind: 'Stale', reason: checked.reason };
      const { sidecars } = checked.candidate;
      if (!sidecars.some(({ container }) => container.name === target.container)) {
        return { kind: 'Stale', reason: { kind: 'NoLongerCandidate', because: [{ kind: 'NoSidecar' }] } };
      }
      const sentAt = clock.now();
      return attempted(await sendToContainer(cluster, pod, target.container, step, cut), sentAt);
    }
  }
}
