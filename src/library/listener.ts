import type * as internal from '../events.ts';
import { describeFault } from '../fault.ts';
import { describeStep } from '../methods/index.ts';
import { describeUnread } from '../report/texts/warnings.ts';
import type { SweepEvent } from './events.ts';

/** An event in the words of the contract; undefined if the report says all there is to it. */
function toSweepEvent(event: internal.SweepEvent): SweepEvent | undefined {
  switch (event.kind) {
    case 'PageListed':
      return { kind: 'Listed', pods: event.pods + event.malformed.length };
    case 'ReadFailed': {
      const { namespace } = event;
      const message = describeUnread(event);
      return { kind: 'Unread', ...(namespace !== undefined && { namespace }), message };
    }
    case 'PodJudged':
      return event.verdict.kind === 'Candidate' ? { kind: 'Stuck', pod: event.verdict.pod.ref } : undefined;
    case 'StepSent': {
      const { pod, container, attempt } = event;
      const { step, result, duration } = attempt;
      return {
        kind: 'StepSent',
        pod,
        container,
        does: describeStep(step),
        result,
        durationMs: Math.round(duration),
      };
    }
    case 'PodConcluded': {
      const { pod, outcome, targets } = event.conclusion;
      const sidecars = targets.map((target) => ({ container: target.container, outcome: target.outcome }));
      return { kind: 'PodConcluded', pod, outcome, sidecars };
    }
    case 'Warned':
    case 'Stopping':
      return event;
    case 'FaultFound':
      return { kind: 'Faulted', message: describeFault(event.fault) };
    case 'SweepStarted':
    case 'ClusterIdentified':
    case 'PlanMade':
    case 'SweepFinished':
      return undefined;
  }
}

/** What a library's user hears. An error of theirs must not end a sweep halfway: it is kept for later. */
export function createListener(onEvent: ((event: SweepEvent) => void) | undefined): {
  readonly hear: internal.Emit;
  /** Throws what the listener threw first, if it did. */
  rethrow(): void;
} {
  let thrown: { readonly error: unknown } | undefined;
  return {
    hear(event) {
      const told = thrown ? undefined : toSweepEvent(event);
      if (!told) return;
      try {
        onEvent?.(told);
      } catch (error) {
        thrown = { error };
      }
    },
    rethrow() {
      if (thrown) throw thrown.error;
    },
  };
}
