import { printable } from '../../printable.ts';
import { columns, paintIf, type Style } from '../columns.ts';
import { count } from '../counts.ts';
import {
  describeHangingPod,
  describeNeverStarted,
  describeNotStartedAgain,
  describeUndecided,
  hangingToo,
} from '../sweep/table.ts';
import { describeEvidence, describeRemark } from '../texts/reasons.ts';
import { describeLeftOut, describeWarning } from '../texts/warnings.ts';
import { elapsed } from '../times.ts';
import type { Scan } from './scan.ts';

/** The scan for people: a row for each sidecar that keeps a pod from ending. */
export function renderScan(scan: Scan, style: Style): string {
  const paint = paintIf(style);
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
  const head = ['NAMESPACE', 'POD', 'STUCK FOR', 'MAINS (EXIT CODES)', 'SIDECAR', 'EVIDENCE'];
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
    ...(rows.length > 0 ? [columns(head, rows, paint), ''] : []),
    ...notes.map((note) => paint('yellow', printable(note))),
    `${count(scan.listed, 'pod')} listed, ${length} stuck${hangingToo(scan.hanging)}`,
  ];
  return `${lines.join('\n')}\n`;
}
