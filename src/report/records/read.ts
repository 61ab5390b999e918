import { Finder } from './find.ts';
import { Lines } from './lines.ts';
import type { Rebuilt } from './rebuild.ts';

export interface ReadReports extends Rebuilt {
  /** Lines that began as a record or a report, and are not complete. */
  readonly truncated: number;
  /** Lines of something else. */
  readonly other: number;
}

/**
 * The reports in these lines, by the start of their runs: from whole documents and from records, however many runs and clusters,
 * in any order and among other lines, as `kubectl logs`, container runtimes, Loki and CloudWatch hand them out.
 */
export async function readReports(lines: AsyncIterable<string>): Promise<ReadReports> {
  const whole = new Lines();
  const finder = new Finder();
  for await (const line of lines) for (const text of whole.take(line)) finder.take(text);
  for (const text of whole.rest()) finder.take(text);
  return finder.result();
}
