import { printable } from '../../printable.ts';
import { columns, paintIf, type Style } from '../columns.ts';
import { count } from '../counts.ts';
import { describeNeverStarted, describeNotStartedAgain, describeUndecided } from '../sweep/table.ts';
import { describeEvidence, describeRemark } from '../texts/reasons.ts';
import { describeLeftOut, describeWarning } from '../texts/warnings.ts';
import { elapsed } from '../times.ts';
import type { Scan } from './scan.ts';

/** The scan for people: a row for each sidecar that keeps a pod from ending. */
export function renderScan(scan: Scan, style: Style): string {
  const paint = paintIf(style);
  const rows = scanRows(scan).map((row) => row.map((cell) => printable(cell)));
  const lines = [
    ...(rows.length > 0 ? [columns(scanHead, rows, paint), ''] : []),
    ...scanNotes(scan).map((note) => paint('yellow', printable(note))),
    scanSum(scan),
  ];
  return `${lines.join('\n')}\n`;
}

export const scanHead = ['NAMESPACE', 'POD', 'STUCK FOR', 'MAINS (EXIT CODES)', 'SIDECAR', 'EVIDENCE'];

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
    ...[...scan.candidates, ...scan.neverStarted, ...scan.notStartedAgain].flatMap(
      ({ namespace, name, remarks }) =>
        remarks.map((remark) => `remark: ${namespace}/${name}: ${describeRemark(remark)}`),
    ),
    ...describeLeftOut(scan.leftOut),
  ];
}

export function scanSum({ listed, candidates }: Scan): string {
  return `${count(listed, 'pod')} listed, ${candidates.length} stuck`;
}
