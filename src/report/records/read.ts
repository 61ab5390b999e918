import { Finder, type ReadReports } from './find.ts';
import { Lines } from './lines.ts';

export type { ReadReports };

/** Lines, and the name of the file that they come from. */
export interface Source {
  readonly name: string;
  readonly lines: AsyncIterable<string>;
}

/**
 * The reports in these lines, by the start of their runs: from whole documents and from records, however many runs and clusters,
 * in any order and among other lines, as `kubectl logs`, container runtimes, Loki and CloudWatch hand them out.
 */
export async function readReports(sources: readonly Source[]): Promise<ReadReports> {
  // Of all files together: a runtime may have split a line between two of them.
  const whole = new Lines();
  const finder = new Finder();
  for (const { name, lines } of sources) {
    for await (const line of lines) for (const text of whole.take(line)) finder.take(text, name);
  }
  for (const text of whole.rest()) finder.take(text, sources.at(-1)?.name ?? '');
  return finder.result();
}
