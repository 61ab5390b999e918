import type { Policy } from '../../policy/policy.ts';
import { lookRecords } from '../../report/look-records.ts';
import { podArgument } from '../../report/pod-argument.ts';
import { scanMarkdown } from '../../report/scan/markdown.ts';
import type { Scan } from '../../report/scan/schema.ts';
import { renderScan } from '../../report/scan/table.ts';
import { scan } from '../../scan.ts';
import type { Surroundings } from '../surroundings.ts';
import { type LookFlags, runLook } from './look.ts';

/** One scan of the cluster that the flags name. */
export function runScan(flags: LookFlags, surroundings: Surroundings): Promise<number> {
  const command = {
    look: scan,
    render: renderScan,
    markdown: scanMarkdown,
    records: (found: Scan) => lookRecords(found, 'StuckPod', found.candidates),
    names: ({ candidates }: Scan, { scope }: Policy) => candidates.map((pod) => podArgument(pod, scope)),
  };
  return runLook(command, flags, surroundings);
}
