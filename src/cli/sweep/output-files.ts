import { randomUUID } from 'node:crypto';
import { openSync } from 'node:fs';
import {
  access,
  chown,
  constants,
  copyFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inChunks } from '../../report/json.ts';
import { isDirectory, UsageError } from '../../util/usage-error.ts';
import { type WaitForReader, writeProblem } from '../io.ts';

/** /dev/termination-log is a mount, so it cannot be replaced. */
const outputs = [
  ['reportFile', '--report-file', 'the report', 'Replace'],
  ['terminationMessage', 'terminationMessage', 'the termination message', 'InPlace'],
] as const;

export type OutputFiles = Partial<Record<(typeof outputs)[number][0], WriteText>>;

/** Throws UsageError if a file cannot be written, or two are the same. */
export async function prepareFiles(paths: Readonly<Partial<Record<keyof OutputFiles, string | undefined>>>) {
  const files: OutputFiles = {};
  const namedBy = new Map<string, string>();
  for (const [name, by, what, mode] of outputs) {
    const path = paths[name];
    if (path === undefined) continue;
    files[name] = await prepareFile(path, what, mode);
    // A pipe or a device may take several texts; in a regular file, the second would replace the first.
    if ((await statIfThere(path))?.isFile() === false) continue;
    const target = await targetOf(path);
    const file = join(await realpath(dirname(target)), basename(target));
    const other = namedBy.get(file);
    if (other !== undefined) throw new UsageError(`${other} and ${by} name the same file; use two`);
    namedBy.set(file, by);
  }
  return files;
}

/** Replaces the content of a file, or throws an Error that names it; `wait` waits for the reader of a pipe. */
export type WriteText = (text: string | Iterable<string>, wait?: WaitForReader) => Promise<void>;

/** `Replace` never shows readers a partly written file; a mounted file must be written `InPlace`. */
export type Mode = 'Replace' | 'InPlace';

/** Throws UsageError if the file cannot be written, so that a sweep fails before it sends anything. */
export async function prepareFile(path: string, what: string, mode: Mode): Promise<WriteText> {
  try {
    const write = await prepare(path, mode);
    return async (text, wait = (written) => written) => {
      try {
        await write(inChunks(typeof text === 'string' ? [text] : text), wait);
      } catch (error) {
        throw new Error(`could not write ${what} to ${path}: ${writeProblem(error)}`, { cause: error });
      }
    };
  } catch (error) {
    throw new UsageError(`cannot write ${what} to ${path}: ${await openProblem(path, error)}`);
  }
}

async function openProblem(path: string, error: unknown): Promise<string> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENXIO') return 'no process reads it';
  const directory = code === 'ENOENT' ? dirname(await targetOf(path)) : undefined;
  return directory !== undefined && !(await statIfThere(directory))
    ? `there is no directory ${directory}`
    : writeProblem(error);
}

type WriteChunks = (chunks: Iterable<string>, wait: WaitForReader) => Promise<void>;

async function prepare(path: string, mode: Mode): Promise<WriteChunks> {
  const found = await stat(path).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (found?.isDirectory()) throw new Error(isDirectory);
  if (found) await access(path, constants.W_OK);
  if (found?.isFIFO()) return preparePipe(path);
  if (found && !found.isFile()) {
    // Only opening a device shows whether it can be opened.
    await writeFile(path, '');
    return (chunks) => writeFile(path, chunks);
  }
  const file = await targetOf(path);
  const writeInPlace: WriteChunks = (chunks) => writeFile(file, chunks);
  if (mode === 'InPlace' && found) return writeInPlace;
  const probe = `${file}.${randomUUID()}`;
  await writeFile(probe, '');
  await rm(probe);
  return mode === 'InPlace' ? writeInPlace : (chunks) => replaceFile(file, chunks, found || undefined);
}

/** Not by `write-file-atomic`, which treats a partial write as complete (`faults/report-paths.test.ts`, C9). */
async function replaceFile(
  file: string,
  chunks: Iterable<string>,
  before: { readonly mode: number; readonly uid: number; readonly gid: number } | undefined,
): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, chunks, { flag: 'wx', flush: true, ...(before && { mode: before.mode }) });
    // Only root may change the owner of a file.
    if (before) await chown(temporary, before.uid, before.gid).catch(() => undefined);
    await rename(temporary, file).catch(async (error) => {
      // A file that is itself a mount point, as with `docker run -v`, cannot be renamed over.
      if (error.code !== 'EBUSY') throw error;
      await copyFile(temporary, file);
    });
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The path with its links followed, even if nothing exists there yet. */
async function targetOf(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : targetOf(resolve(dirname(path), link));
}

function statIfThere(path: string) {
  return stat(path).catch(() => undefined);
}

/**
 * The pipe stays open, because its reader ends when the last writer closes it
 * (https://man7.org/linux/man-pages/man7/fifo.7.html). Unlike a socket, a blocking write would keep the process alive.
 */
function preparePipe(path: string): WriteChunks {
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const pipe = new Socket({ fd, readable: false, writable: true });
  // The write reports the error.
  pipe.on('error', () => undefined);
  return (chunks, wait) => wait(pipeline(chunks, pipe));
}
