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
import type { Policy } from '../../policy/policy.ts';
import { inChunks } from '../../report/json.ts';
import { isDirectory, UsageError } from '../../util/usage-error.ts';
import type { FlagsOf } from '../flags.ts';
import { type WaitForReader, writeProblem } from '../io.ts';

/** The files that a sweep writes, and how. The kubelet mounts /dev/termination-log, which cannot be replaced. */
const outputs = [
  ['reportFile', '--report-file', 'the report', 'Replace'],
  ['metricsFile', 'metricsFile', 'metrics', 'Replace'],
  ['terminationMessage', 'terminationMessage', 'the termination message', 'InPlace'],
] as const;

export type OutputFiles = Readonly<Partial<Record<(typeof outputs)[number][0], WriteText>>>;
type Paths = Pick<FlagsOf<'sweep'>, 'reportFile'> &
  Partial<Pick<Policy, 'metricsFile' | 'terminationMessage'>>;

/** Prepares the files that the flags and the policy name. Throws UsageError if one cannot be written, or two are the same. */
export async function prepareFiles(paths: Paths): Promise<OutputFiles> {
  const files: { -readonly [K in keyof OutputFiles]: OutputFiles[K] } = {};
  const namedBy = new Map<string, string>();
  for (const [name, by, what, mode] of outputs) {
    const path = paths[name];
    if (path === undefined) continue;
    files[name] = await prepareFile(path, what, mode);
    // A pipe or a device may take several texts; in a file, the second would replace the first.
    if ((await statIfThere(path))?.isFile() === false) continue;
    const target = await targetOf(path);
    const file = join(await realpath(dirname(target)), basename(target));
    const other = namedBy.get(file);
    if (other !== undefined) throw new UsageError(`${other} and ${by} name the same file; use two`);
    namedBy.set(file, by);
  }
  return files;
}

/** Writes the whole text of a file, which may come in parts. `wait` waits for the reader of a pipe. Throws an Error that names the file. */
export type WriteText = (text: string | Iterable<string>, wait?: WaitForReader) => Promise<void>;

/** A file is replaced, so that its readers always find a whole one, or written in place, as a mounted file must be. */
export type Mode = 'Replace' | 'InPlace';

/** Throws UsageError if the file could not be written, so that this is known before anything is swept. */
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

/** Names the missing folder, not the temporary file that is renamed at the end. */
async function openProblem(path: string, error: unknown): Promise<string> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENXIO') return 'no process reads it';
  const folder = code === 'ENOENT' ? dirname(await targetOf(path)) : undefined;
  return folder !== undefined && !(await statIfThere(folder))
    ? `there is no directory ${folder}`
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

/**
 * Writes a file beside and renames it, so that the old one stays whole if the disk is full. (`write-file-atomic` takes a write that
 * stored only a part for a whole one: `faults/report-paths.test.ts`, C9.)
 */
async function replaceFile(
  file: string,
  chunks: Iterable<string>,
  before: { readonly mode: number; readonly uid: number; readonly gid: number } | undefined,
): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, chunks, { flag: 'wx', flush: true, ...(before && { mode: before.mode }) });
    // Only root may give a file away.
    if (before) await chown(temporary, before.uid, before.gid).catch(() => undefined);
    await rename(temporary, file).catch(async (error) => {
      // Nothing can be renamed over a file that is mounted by itself, as by `docker run -v`.
      if (error.code !== 'EBUSY') throw error;
      await copyFile(temporary, file);
    });
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Where a link points, even if nothing is there yet. */
async function targetOf(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : targetOf(resolve(dirname(path), link));
}

function statIfThere(path: string) {
  return stat(path).catch(() => undefined);
}

/**
 * The pipe stays open, because its reader ends when the last writer closes it. A socket does not block a thread, which would keep the
 * process alive until the reader reads: https://man7.org/linux/man-pages/man7/fifo.7.html
 */
function preparePipe(path: string): WriteChunks {
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const pipe = new Socket({ fd, readable: false, writable: true });
  // The write reports it.
  pipe.on('error', () => undefined);
  return (chunks, wait) => wait(pipeline(chunks, pipe));
}
