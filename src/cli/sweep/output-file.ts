import { randomUUID } from 'node:crypto';
import { access, constants, open, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../usage-error.ts';

/** Writes the whole text of a file, which may come in parts. */
export type WriteText = (text: string | Iterable<string>) => Promise<void>;

/** A file is replaced, so that whoever reads it finds a whole one, or written in place, as one that is mounted must be. */
export type Manner = 'Replace' | 'InPlace';

/** Throws UsageError if it could not be written, so that this is known before anything is swept. */
export async function prepareFile(path: string, what: string, manner: Manner): Promise<WriteText> {
  try {
    return await prepare(path, manner);
  } catch (error) {
    // Without the name of a file that nobody asked for.
    const reason = error instanceof Error ? error.message.replace(/, \w+ '.*$/, '') : error;
    throw new UsageError(`cannot write ${what} to ${path}: ${reason}`);
  }
}

async function prepare(path: string, manner: Manner): Promise<WriteText> {
  const found = await stat(path).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (found) {
    if (found.isDirectory()) throw new Error('it is a directory');
    await access(path, constants.W_OK);
    if (!found.isFile()) return await preparePipe(path);
  }
  const file = await targetOf(path);
  if (manner === 'InPlace') return await prepareInPlace(file, found !== undefined);
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, '');
  await rm(unfinished);
  return async (text) => {
    await writeFile(unfinished, text);
    await rename(unfinished, file);
  };
}

/** Where a link points, even if nothing is there yet. */
async function targetOf(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : targetOf(resolve(dirname(path), link));
}

async function prepareInPlace(file: string, isThere: boolean): Promise<WriteText> {
  if (!isThere) {
    await writeFile(file, '', { flag: 'wx' });
    await rm(file);
  }
  return (text) => writeFile(file, text);
}

/** A pipe or a device cannot be replaced. It is held open, because the reader of a pipe leaves after its last writer. */
async function preparePipe(path: string): Promise<WriteText> {
  // Opened to wait, a pipe that nobody reads holds the process for ever: https://man7.org/linux/man-pages/man7/fifo.7.html
  const probe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch((error) => {
    throw error.code === 'ENXIO' ? new Error('nobody reads it') : error;
  });
  const pipe = await open(path, 'w').finally(() => probe.close());
  return (text) => writeFile(pipe, text).finally(() => pipe.close());
}
