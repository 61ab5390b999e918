import type { RunInfo } from '../model/scope.ts';
import type { Candidate } from '../model/verdict.ts';
import type { SweepEvent } from '../plan/sweep-event.ts';
import { catalogue } from '../policy/catalogue.ts';
import type { Policy } from '../policy/policy.ts';
import { isNamedLike, type Native } from '../policy/profile.ts';
import type { Millis } from '../util/time.ts';
import type { Style } from './columns.ts';
import { iso } from './format.ts';
import { describeFound, notesOnFound, notesOnLeft, notesOnRemarks } from './found.ts';
import { type Extent, groupsOf, type StuckSidecar, stuckTable, worst } from './groups.ts';
import { LookFold, reportCandidate } from './look.ts';
import { apiVersion, byName } from './names.ts';
import type { Scan, StuckPod } from './scan-schema.ts';
import { describeEvidence } from './texts/reasons.ts';
import { notes, sentence, type View } from './view.ts';

export type { Scan } from './scan-schema.ts';

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

  report(
    where: Pick<RunInfo, 'context' | 'server'>,
    policy: Pick<Policy, 'scope' | 'minAge'>,
    asOf?: Millis,
  ): Scan {
    return {
      apiVersion,
      kind: 'Scan',
      ...this.#look.found(where, policy, asOf),
      candidates: this.#stuck.toSorted(byName),
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

/** The scan for people: the sidecars that keep pods from ending, and why they count as sidecars. */
export function scanView(scan: Scan, { wide }: Pick<Style, 'wide'>): View {
  const { candidates, asOf, neverStarted, notStartedAgain, hanging } = scan;
  const extent = { all: wide };
  const rows = candidates.flatMap((pod) =>
    pod.sidecars.map(({ name, image, because }) => ({
      pod,
      name,
      image,
      what: describeEvidence(because),
      other: pod.mains.map((main) => `${main.name} (${main.exitCode})`).join(', '),
    })),
  );
  const judged = [...candidates, ...neverStarted, ...notStartedAgain, ...hanging];
  return {
    sections: [
      [stuckTable(rows, { what: 'EVIDENCE', other: 'MAINS (EXIT CODES)' }, asOf, extent)],
      [
        notes([...notesOnFound(scan, extent), ...notesOnRemarks(judged, extent)], 'yellow'),
        notes(notesOnCures(rows, extent)),
        notes(notesOnLeft(scan, 'explain says why of one of them')),
        sentence(describeFound(scan, candidates.length)),
      ],
    ],
  };
}

/** Whether the sidecars of each group could be cured for good, and the command that says how. */
function notesOnCures(sidecars: readonly StuckSidecar[], extent: Extent): readonly string[] {
  const groups = groupsOf(sidecars, ({ name, image }) => JSON.stringify([name, image]));
  return worst(groups, extent).shown.map((group) => {
    const [{ name, image }] = group;
    const known = catalogue.find((each) => each.shows === undefined && isNamedLike(each, { name, image }));
    const [namespace, ...others] = new Set(group.map(({ pod }) => pod.namespace));
    const where = others.length > 0 ? '' : ` -n ${namespace}`;
    return `to cure ${name} for good (${cureOf(known?.native)}): sidecar-sweeper advise${where}`;
  });
}

function cureOf(native: Native | undefined): string {
  switch (native?.kind) {
    case undefined:
      return 'native, if its template has it';
    case 'Template':
      return 'native, in its template';
    case 'Switch':
      return `native since ${native.since}, by its own tool`;
    case 'Never':
      return native.secondRun === undefined
        ? 'never native, but by its settings'
        : 'native, by an admission policy';
  }
}
