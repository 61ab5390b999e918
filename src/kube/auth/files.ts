import { constants, createReadStream, fstat, open } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import type { Millis } from '../../util/time.ts';

/** Text that the kubeconfig holds, or a file that may change. */
export type Source =
  | { readonly kind: 'Text'; readonly text: string }
  | { readonly kind: 'File'; readonly path: string };

/** A kubeconfig with a thousand clusters and their certificates fits in. */
const largest = 16 * 1024 * 1024;
const longest: Millis = 10_000;

/**
 * The text of a kubeconfig or of a file that it names. A pipe is read until its writer closes it, as with `<(command)` of a shell.
 * Rejects if the file is too large, or takes too long.
 */
export async function readBounded(path: string): Promise<string> {
  // Without O_NONBLOCK, the open of a named pipe waits for a writer in a thread that cannot be stopped.
  const fd = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const isPipe = (await promisify(fstat)(fd)).isFIFO();
  const stream = isPipe ? new Socket({ fd, readable: true, writable: false }) : createReadStream('', { fd });
  const late = setTimeout(
    () => stream.destroy(new Error(`it could not be read within ${longest / 1000}s`)),
    longest,
  );
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > largest) throw new Error(`it has more than ${largest / 1024 / 1024} MiB`);
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    clearTimeout(late);
  }
}

/** The text of a certificate, key or token. Rejects if its file cannot be read. */
export async function readSource(source: Source | undefined): Promise<string | undefined> {
  return source?.kind === 'File' ? await readBounded(source.path) : source?.text;
}
