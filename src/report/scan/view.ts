import type { Column } from '../arrange.ts';
import { describeFound } from '../counts.ts';
import { describeReasons, hangingToo, notesOnFound, notesOnRemarks } from '../sweep/notes.ts';
import { describeEvidence } from '../texts/reasons.ts';
import { describeLeftOut } from '../texts/warnings.ts';
import { elapsed } from '../times.ts';
import { notes, sentence, type View } from '../view.ts';
import type { Scan } from './schema.ts';

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
  return reasons === '' ? [] : [`left alone: ${reasons} (see docs/reasons; explain says why of one pod)`];
}
