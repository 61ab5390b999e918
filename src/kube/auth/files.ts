import { constants, createReadStream, fstat, open } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { bounds } from '../../model/bounds.ts';
import { onAbort } from '../../util/concurrency.ts';
import type { Millis } from '../../util/time.ts';

/** Text that the kubeconfig holds, or a file that may change. */
export type Source =
  | { readonly kind: 'Text'; readonly text: string }
  | { readonly kind: 'File'; readonly path: string };

/** How long a file may take. */
export interface Patience {
  readonly time: Millis;
  readonly abort: AbortSignal;
}

const patience: Patience = { time: bounds.fileTime, abort: new AbortController().signal };

/**
 * The text of a kubeconfig or of a file that it names. A pipe is read until its writer closes it, as with `<(command)` of a shell.
 * Rejects if the file is too large or takes too long, or if aborted.
 */
export async function readBounded(
  path: string,
  most: number = bounds.kubeconfig,
  { time, abort } = patience,
): Promise<string> {
  // Otherwise, a pipe without a writer or a silent terminal would be waited for in a thread that cannot be stopped.
  const fd = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const isPipe = (await promisify(fstat)(fd)).isFIFO();
  const stream = isPipe ? new Socket({ fd, readable: true, writable: false }) : createReadStream('', { fd });
  const giveUp = (why: string) => stream.destroy(new Error(why));
  const late = setTimeout(() => giveUp(`it could not be read within ${time / 1000}s`), time);
  const leave = onAbort(abort, () => giveUp('interrupted'));
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) throw new Error(`it has more than ${most / 1024 / 1024} MiB`);
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    clearTimeout(late);
    leave();
  }
}

/** The text of a certificate, key or token. Rejects if its file cannot be read. */
export async function readSource(source: Source | undefined, within?: Patience): Promise<string | undefined> {
  return source?.kind === 'File' ? await readBounded(source.path, bounds.credential, within) : source?.text;
}
