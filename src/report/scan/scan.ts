import type { RunInfo } from '../../model/scope.ts';
import type { Candidate } from '../../model/verdict.ts';
import type { SweepEvent } from '../../plan/sweep-event.ts';
import type { Millis } from '../../util/time.ts';
import { apiVersion } from '../api-version.ts';
import { LookFold } from '../look-fold.ts';
import { byName } from '../order.ts';
import { reportCandidate } from '../plan.ts';
import { iso } from '../times.ts';
import type { Scan, StuckPod } from './schema.ts';

/** Collects what listing and judging found into a scan. */
export class ScanFold {
  readonly #look = new LookFold({ verbose: false });
  readonly #stuck: StuckPod[] = [];

  hear(event: SweepEvent): void {
    this.#look.hear(event);
    if (event.kind !== 'PodJudged') return;
    // A pod as it was read takes several times as much memory as what is told of it.
    for (const [uid, candidate] of this.#look.candidates) {
      this.#stuck.push(reportStuckPod(candidate));
      this.#look.candidates.delete(uid);
    }
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
      excluded: totals.excluded,
      excludedBecause: totals.excludedBecause,
      unread,
      undecided,
      candidates: this.#stuck.toSorted(byName),
      neverStarted,
      notStartedAgain,
      hanging,
      warnings,
      leftOut: totals.leftOut,
    };
  }
}

function reportStuckPod(candidate: Candidate): StuckPod {
  const { mains, sidecars, remarks } = candidate;
  return {
    ...reportCandidate(candidate),
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
