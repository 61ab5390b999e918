import { printable } from '../../util/text.ts';
import type { Column } from '../arrange.ts';
import { columns, paragraph, type Style } from '../columns.ts';
import { describeFound } from '../counts.ts';
import {
  describeHangingPod,
  describeNeverStarted,
  describeNotStartedAgain,
  describeReasons,
  describeUndecided,
  hangingToo,
} from '../sweep/notes.ts';
import { describeEvidence, describeRemark } from '../texts/reasons.ts';
import { describeLeftOut, describeWarning } from '../texts/warnings.ts';
import { elapsed } from '../times.ts';
import type { Scan } from './schema.ts';

const head: readonly Column[] = [
  { title: 'NAMESPACE', isName: true },
  { title: 'POD', isName: true },
  { title: 'STUCK FOR' },
  { title: 'MAINS (EXIT CODES)', worth: 1 },
  { title: 'SIDECAR' },
  { title: 'EVIDENCE', worth: 2, isProse: true },
];

/** The scan for people: a row for each sidecar that keeps a pod from ending. */
export function renderScan(scan: Scan, style: Style): string {
  const rows = scanRows(scan).map((row) => row.map((cell) => printable(cell)));
  const lines = [
    ...(rows.length > 0 ? [columns(head, rows, style), ''] : []),
    ...scanNotes(scan).map((note) => paragraph(printable(note), style, 'yellow')),
    paragraph(scanSum(scan), style),
  ];
  return `${lines.join('\n')}\n`;
}

export const scanHead = head.map(({ title }) => title);

export function scanRows({ candidates, asOf }: Scan): readonly (readonly string[])[] {
  return candidates.flatMap(({ namespace, name, mainsEndedAt, mains, sidecars }) =>
    sidecars.map((sidecar) => [
      namespace,
      name,
      elapsed(mainsEndedAt, asOf),
      mains.map((main) => `${main.name} (${main.exitCode})`).join(', '),
      sidecar.name,
      describeEvidence(sidecar.because),
    ]),
  );
}

/** What else there is to know, a sentence each. */
export function scanNotes(scan: Scan): readonly string[] {
  return [
    ...scan.warnings.map((warning) => `warning: ${describeWarning(warning)}`),
    ...scan.undecided.map(describeUndecided),
    ...scan.neverStarted.map((pod) => describeNeverStarted(pod, scan.asOf)),
    ...scan.notStartedAgain.map((pod) => describeNotStartedAgain(pod, scan.asOf)),
    ...scan.hanging.map((pod) => describeHangingPod(pod, scan.asOf)),
    ...[...scan.candidates, ...scan.neverStarted, ...scan.notStartedAgain, ...scan.hanging].flatMap(
      ({ namespace, name, remarks }) =>
        remarks.map((remark) => `remark: ${namespace}/${name}: ${describeRemark(remark)}`),
    ),
    ...describeLeftOut(scan.leftOut),
    ...leftAlone(scan),
  ];
}

/** Whoever misses a pod learns where to look. */
function leftAlone(scan: Scan): readonly string[] {
  const reasons = describeReasons(scan);
  return reasons === '' ? [] : [`left alone: ${reasons} (see docs/reasons; explain says why of one pod)`];
}

export function scanSum({ listed, unread, candidates, hanging }: Scan): string {
  return describeFound(listed, unread, `${candidates.length} stuck${hangingToo(hanging)}`);
}
