import { createReadStream } from 'node:fs';
import { unreadable } from '../../unreadable.ts';
import { UsageError } from '../../usage-error.ts';
import { usualCaller } from '../help.ts';
import { linesOf } from '../lines.ts';
import type { Surroundings } from '../surroundings.ts';

/** The lines of files, one file after the other; `-` is stdin. Throws UsageError. */
export async function* linesOfFiles(
  files: readonly string[],
  { stdin, program = usualCaller.program }: Pick<Surroundings, 'stdin' | 'program'>,
): AsyncGenerator<string> {
  // Whoever forgets what to read would wait for ever.
  if (files.includes('-') && stdin.isTTY) {
    throw new UsageError(`name files to read, or pipe them in: kubectl logs ... | ${program} report`);
  }
  for (const file of files) {
    try {
      yield* linesOf(file === '-' ? stdin : createReadStream(file));
    } catch (error) {
      throw unreadable(file, error);
    }
  }
}
