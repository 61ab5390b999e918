import { ScanFold } from '../../report/scan/scan.ts';
import { renderScan } from '../../report/scan/table.ts';
import { scan } from '../../scan.ts';
import type { Surroundings } from '../surroundings.ts';
import { type LookFlags, runLook } from './look.ts';

/** One scan of each cluster that the flags name. */
export function runScan(flags: LookFlags, surroundings: Surroundings): Promise<number> {
  const command = {
    look: scan,
    fold: () => new ScanFold(),
    listKind: 'ScanList',
    render: renderScan,
  };
  return runLook(command, flags, surroundings);
}
