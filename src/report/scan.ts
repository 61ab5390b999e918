import type { RunInfo } from '../model/scope.ts';
import type { Candidate } from '../model/verdict.ts';
import type { Policy } from '../policy/policy.ts';
import type { Millis } from '../util/time.ts';
import { iso } from './format.ts';
import { describeFound, notesOnFound, notesOnLeft } from './found.ts';
import { type Extent, stuckTable } from './groups.ts';
import { type JudgedPods, reportCandidate } from './judged-pods.ts';
import { apiVersion, byName } from './names.ts';
import type { Scan, StuckPod } from './scan-schema.ts';
import { howToPrevent } from './texts/advice.ts';
import { describeEvidence } from './texts/reasons.ts';
import { codeOf, notes, sentence, type View } from './view.ts';

export type { Scan } from './scan-schema.ts';

export function reportScan(
  judged: JudgedPods<StuckPod>,
  { context, server }: Pick<RunInfo, 'context' | 'server'>,
  policy: Pick<Policy, 'scope' | 'minAge'>,
  asOf: Millis | undefined,
): Scan {
  return {
    apiVersion,
    kind: 'Scan',
    ...judged.report({ context, server }, policy, asOf),
    candidates: [...judged.candidates.values()].sort(byName),
  };
}

export function reportStuckPod(candidate: Candidate): StuckPod {
  const { mains, sidecars } = candidate;
  return {
    ...reportCandidate(candidate),
    mains: mains.map((each) => ({ ...each, endedAt: iso(each.endedAt) })),
    sidecars: sidecars.map(({ because, container: { name, image } }) => ({ name, image, because })),
  };
}

/** `advise` is the command that says how to cure what the scan has found, in the same scope and cluster. */
export function scanView(scan: Scan, extent: Extent, advise: string): View {
  const { candidates, asOf, neverStarted, notStartedAgain } = scan;
  const rows = candidates.flatMap((pod) =>
    pod.sidecars.map(({ because, ...named }) => ({ pod, ...named, what: describeEvidence(because) })),
  );
  const stuck = candidates.length + neverStarted.length + notStartedAgain.length;
  return {
    sections: [
      [stuckTable(rows, { what: 'EVIDENCE' }, asOf, extent)],
      [
        notes(notesOnFound(scan, extent), 'yellow'),
        ...(rows.length === 0 ? [] : [notes([howToPrevent]), codeOf(advise)]),
        notes(notesOnLeft(scan, 'explain NAMESPACE/POD says why')),
        sentence(describeFound(scan, stuck)),
      ],
    ],
  };
}
