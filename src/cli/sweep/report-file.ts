import { randomUUID } from 'node:crypto';
import { openSync } from 'node:fs';
import { access, constants, open, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inChunks } from '../../report/chunks.ts';
import { jsonPieces } from '../../report/json.ts';
import { UsageError } from '../../usage-error.ts';

/** Writes the report to a file. */
export type WriteReport = (document: object) => Promise<void>;

/** Throws UsageError if it could not be written, so that this is known before anything is swept. */
export async function prepareReportFile(path: string): Promise<WriteReport> {
  try {
    return await prepare(path);
  } catch (error) {
    // Without the name of a file that nobody asked for.
    const reason = error instanceof Error ? error.message.replace(/, \w+ '.*$/, '') : error;
    throw new UsageError(`cannot write the report to ${path}: ${reason}`);
  }
}

async function prepare(path: string): Promise<WriteReport> {
  if (path === '') throw new Error('its name is empty');
  const found = await stat(path).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (found) {
    if (found.isDirectory()) throw new Error('it is a directory');
    await access(path, constants.W_OK);
    if (found.isFIFO()) return preparePipe(path);
    if (!found.isFile()) return await prepareDevice(path);
  }
  const file = await targetOf(path);
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, '');
  await rm(unfinished);
  // Whoever reads it finds a whole report: this one, or the one before.
  return async (document) => {
    await writeFile(unfinished, inChunks(jsonPieces(document)));
    await rename(unfinished, file);
  };
}

/** Where a link points, even if nothing is there yet. */
async function targetOf(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : targetOf(resolve(dirname(path), link));
}

/** A device cannot be replaced. */
async function prepareDevice(path: string): Promise<WriteReport> {
  const device = await open(path, 'w');
  return (document) => writeFile(device, inChunks(jsonPieces(document))).finally(() => device.close());
}

/**
 * Held open, because the reader of a pipe leaves after its last writer, and never waited for by a thread, which would hold the
 * process for as long as the reader likes: https://man7.org/linux/man-pages/man7/fifo.7.html
 */
function preparePipe(path: string): WriteReport {
  const pipe = new Socket({ fd: openPipe(path), readable: false, writable: true });
  // It is told by the write.
  pipe.on('error', () => undefined);
  return (document) => pipeline(inChunks(jsonPieces(document)), pipe);
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
