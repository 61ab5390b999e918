import type { Millis } from '../../duration.ts';
import type { SweepEvent } from '../../events.ts';
import type { Candidate, RunInfo } from '../../vocabulary.ts';
import { apiVersion } from '../api-version.ts';
import { LookFold } from '../look-fold.ts';
import { byName } from '../order.ts';
import { reportOwner } from '../plan.ts';
import { iso } from '../times.ts';
import type { Scan, StuckPod } from './schema.ts';

/** Collects what listing and judging found into a scan. */
export class ScanFold {
  readonly #look = new LookFold({ verbose: false });

  hear(event: SweepEvent): void {
    this.#look.hear(event);
  }

  report({ context, server }: Pick<RunInfo, 'context' | 'server'>, asOf?: Millis): Scan {
    const { totals, unread, undecided, neverStarted, notStartedAgain, hanging, warnings } =
      this.#look.report();
    return {
      apiVersion,
      kind: 'Scan',
      ...(asOf !== undefined && { asOf: iso(asOf) }),
      cluster: { context, server },
      listed: totals.listed,
      unread,
      undecided,
      candidates: [...this.#look.candidates.values()].map(reportStuckPod).sort(byName),
      neverStarted,
      notStartedAgain,
      hanging,
      warnings,
      leftOut: totals.leftOut,
    };
  }
}

function reportStuckPod({ pod, mains, sidecars, mainsEndedAt, remarks }: Candidate): StuckPod {
  return {
    ...pod.ref,
    ...(pod.node !== undefined && { node: pod.node }),
    ...reportOwner(pod),
    restartPolicy: pod.restartPolicy,
    mainsEndedAt: iso(mainsEndedAt),
    mains: mains.map((each) => ({ ...each, endedAt: iso(each.endedAt) })),
    sidecars: sidecars.map(({ because, container: { name, image, state } }) => ({
      name,
      image,
      because,
      state: state.kind,
    })),
    remarks,
  };
}
