import { printable } from '../../printable.ts';
import type { Column } from '../arrange.ts';
import { columns, paragraph, type Style } from '../columns.ts';
import { count } from '../counts.ts';
import {
  describeHangingPod,
  describeNeverStarted,
  describeNotStartedAgain,
  describeUndecided,
  hangingToo,
} from '../sweep/notes.ts';
import { describeEvidence, describeRemark } from '../texts/reasons.ts';
import { describeLeftOut, describeWarning } from '../texts/warnings.ts';
import { elapsed } from '../times.ts';
import type { Scan } from './scan.ts';

const head: readonly Column[] = [
  { title: 'NAMESPACE', isName: true },
  { title: 'POD', isName: true },
  { title: 'STUCK FOR', worth: 3 },
  { title: 'MAINS (EXIT CODES)', worth: 1 },
  { title: 'SIDECAR' },
  { title: 'EVIDENCE', worth: 2, isProse: true },
];

/** The scan for people: a row for each sidecar that keeps a pod from ending. */
export function renderScan(scan: Scan, style: Style): string {
  const rows = scan.candidates.flatMap(({ namespace, name, mainsEndedAt, mains, sidecars }) =>
    sidecars.map((sidecar) => [
      printable(namespace),
      printable(name),
      elapsed(mainsEndedAt, scan.asOf),
      printable(mains.map((main) => `${main.name} (${main.exitCode})`).join(', ')),
      printable(sidecar.name),
      printable(describeEvidence(sidecar.because)),
    ]),
  );
  const notes = [
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
  ];
  const { length } = scan.candidates;
  const lines = [
    ...(rows.length > 0 ? [columns(head, rows, style), ''] : []),
    ...notes.map((note) => paragraph(printable(note), style, 'yellow')),
    paragraph(`${count(scan.listed, 'pod')} listed, ${length} stuck${hangingToo(scan.hanging)}`, style),
  ];
  return `${lines.join('\n')}\n`;
}
