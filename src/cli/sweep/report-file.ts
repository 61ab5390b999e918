import { randomUUID } from 'node:crypto';
import { access, constants, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { renderJson } from '../../report/json.ts';
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
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile()) {
    if (found.isDirectory()) throw new Error('it is a directory');
    // A pipe or a device cannot be replaced.
    await access(path, constants.W_OK);
    return (document) => writeFile(path, renderJson(document));
  }
  const file = found ? await realpath(path) : path;
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, '');
  await rm(unfinished);
  // Whoever reads it finds a whole report: this one, or the one before.
  return async (document) => {
    await writeFile(unfinished, renderJson(document));
    await rename(unfinished, file);
  };
}
