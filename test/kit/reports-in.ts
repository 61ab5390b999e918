import { Readable } from 'node:stream';
import { linesOf } from '../../src/cli/commands/report.ts';
import { type ReadReports, readReports } from '../../src/report/records/read.ts';

/** The reports in a log, and what is missing of them. */
export function reportsIn(log: string): Promise<ReadReports> {
  return readReports([{ name: 'a.log', lines: linesOf(Readable.from([log])) }]);
}
