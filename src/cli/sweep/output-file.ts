import { randomUUID } from 'node:crypto';
import { openSync } from 'node:fs';
import { access, constants, open, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import writeFileAtomic from 'write-file-atomic';
import { inChunks } from '../../report/chunks.ts';
import { isDirectory, UsageError } from '../../util/usage-error.ts';
import type { WaitForReader } from '../unread.ts';
import { whyUnwritten } from '../unwritten.ts';

/** Writes the whole text of a file, which may come in parts. A file that is a pipe is waited for like this. Throws an Error that names it. */
export type WriteText = (text: string | Iterable<string>, wait?: WaitForReader) => Promise<void>;

/** A file is replaced, so that whoever reads it finds a whole one, or written in place, as one that is mounted must be. */
export type Manner = 'Replace' | 'InPlace';

/** Throws UsageError if it could not be written, so that this is known before anything is swept. */
export async function prepareFile(path: string, what: string, manner: Manner): Promise<WriteText> {
  try {
    const write = await prepare(path, manner);
    return async (text, wait = (written) => written) => {
      try {
        await write(inChunks(typeof text === 'string' ? [text] : text), wait);
      } catch (error) {
        throw new Error(`could not write ${what} to ${path}: ${whyUnwritten(error)}`, { cause: error });
      }
    };
  } catch (error) {
    throw new UsageError(`cannot write ${what} to ${path}: ${await whyUnwritable(path, error)}`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  ELOOP: 'it is a link that leads back to itself',
  ENAMETOOLONG: 'the name is too long',
  EROFS: 'the file system is read-only',
};

async function whyUnwritable(path: string, error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const folder = dirname(await targetOf(path));
    if (code === 'ENOTDIR') return `${folder} is not a directory`;
    const isThere = await stat(folder).catch(() => undefined);
    return isThere ? `no file can be created in ${folder}` : `there is no directory ${folder}`;
  }
  // Without the name of a file that nobody asked for.
  return reasons[code] ?? whyUnwritten(error);
}

type WriteChunks = (chunks: Iterable<string>, wait: WaitForReader) => Promise<void>;

async function prepare(path: string, manner: Manner): Promise<WriteChunks> {
  const found = await stat(path).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (found) {
    if (found.isDirectory()) throw new Error(isDirectory);
    await access(path, constants.W_OK);
    if (found.isFIFO()) return preparePipe(path);
    if (!found.isFile()) return await prepareDevice(path);
  }
  const file = await targetOf(path);
  const writeInPlace: WriteChunks = (chunks) => writeFile(file, chunks);
  if (manner === 'InPlace' && found) return writeInPlace;
  const probe = `${file}.${randomUUID()}`;
  await writeFile(probe, '');
  await rm(probe);
  if (manner === 'InPlace') return writeInPlace;
  return async (chunks) => {
    const parts = Array.from(chunks, (chunk) => Buffer.from(chunk));
    await writeFileAtomic(file, Buffer.concat(parts));
  };
}

/** Where a link points, even if nothing is there yet. */
async function targetOf(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : targetOf(resolve(dirname(path), link));
}

/** The one path of a file that can be written; undefined for a pipe or a device, which may get several texts. */
export async function fileAt(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile()) return undefined;
  const file = await targetOf(path);
  return join(await realpath(dirname(file)), basename(file));
}

/** A device cannot be replaced. */
async function prepareDevice(path: string): Promise<WriteChunks> {
  const device = await open(path, 'w');
  return (chunks) => writeFile(device, chunks).finally(() => device.close());
}

/**
 * Held open, because the reader of a pipe leaves after its last writer, and never waited for by a thread, which would hold the
 * process for as long as the reader likes: https://man7.org/linux/man-pages/man7/fifo.7.html
 */
function preparePipe(path: string): WriteChunks {
  const pipe = new Socket({ fd: openPipe(path), readable: false, writable: true });
  // It is told by the write.
  pipe.on('error', () => undefined);
  return (chunks, wait) => wait(pipeline(chunks, pipe));
}

function openPipe(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENXIO') {
      throw new Error('nobody reads it', { cause: error });
    }
    throw error;
  }
}
