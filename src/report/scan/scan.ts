import type { RunInfo } from '../../model/scope.ts';
import type { Candidate } from '../../model/verdict.ts';
import type { SweepEvent } from '../../plan/sweep-event.ts';
import type { Millis } from '../../util/time.ts';
import type { Column } from '../arrange.ts';
import { describeFound } from '../counts.ts';
import { elapsed, iso } from '../format.ts';
import { LookFold, reportCandidate } from '../look.ts';
import { apiVersion, byName } from '../names.ts';
import { describeReasons, hangingToo, notesOnFound, notesOnRemarks } from '../sweep/notes.ts';
import { describeEvidence } from '../texts/reasons.ts';
import { describeLeftOut } from '../texts/warnings.ts';
import { notes, sentence, type View } from '../view.ts';
import type { Scan, StuckPod } from './schema.ts';

/** Collects what listing and judging found into a scan. */
export class ScanFold {
  readonly #look = new LookFold({ verbose: false });
  readonly #stuck: StuckPod[] = [];

  hear(event: SweepEvent): void {
    this.#look.hear(event);
    if (event.kind !== 'PodJudged') return;
    // A pod as it was read takes several times as much memory as its report.
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

const columns: readonly Column[] = [
  { title: 'NAMESPACE', isName: true },
  { title: 'POD', isName: true },
  { title: 'STUCK FOR' },
  { title: 'MAINS (EXIT CODES)', worth: 1 },
  { title: 'SIDECAR' },
  { title: 'EVIDENCE', worth: 2, isProse: true },
];

/** The scan for people: a row for each sidecar that keeps a pod from ending. */
export function scanView(scan: Scan): View {
  const { candidates, asOf, neverStarted, notStartedAgain, hanging } = scan;
  const rows = candidates.flatMap(({ namespace, name, mainsEndedAt, mains, sidecars }) =>
    sidecars.map((sidecar) => [
      namespace,
      name,
      elapsed(mainsEndedAt, asOf),
      mains.map((main) => `${main.name} (${main.exitCode})`).join(', '),
      sidecar.name,
      describeEvidence(sidecar.because),
    ]),
  );
  const found = describeFound(scan.listed, scan.unread, `${candidates.length} stuck${hangingToo(hanging)}`);
  return {
    sections: [
      [{ kind: 'Table', columns, rows }],
      [
        notes(
          [
            ...notesOnFound(scan, asOf),
            ...notesOnRemarks([...candidates, ...neverStarted, ...notStartedAgain, ...hanging]),
            ...describeLeftOut(scan.leftOut),
            ...leftAlone(scan),
          ],
          'yellow',
        ),
        sentence(found),
      ],
    ],
  };
}

/** Says where to look for a pod that is missing. */
function leftAlone(scan: Scan): readonly string[] {
  const reasons = describeReasons(scan);
  return reasons === '' ? [] : [`left alone: ${reasons} (explain says why of one pod)`];
}
