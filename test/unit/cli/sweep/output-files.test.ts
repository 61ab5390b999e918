import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prepareFiles } from '../../../../src/cli/sweep/output-files.ts';
import { UsageError } from '../../../../src/util/usage-error.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'output-files-'));
  await mkdir(join(folder, 'folder'));
  await symlink('folder', join(folder, 'same-folder'));
  await symlink('folder/file', join(folder, 'link'));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (path: string) => (path.startsWith('/') ? path : join(folder, path));

it.each([
  ['by the same name', 'file', 'file'],
  ['by a longer name', 'file', 'folder/../file'],
  ['by a link', 'folder/file', 'link'],
  ['by a link to its folder', 'folder/file', 'same-folder/file'],
])('no two flags may name the same file, %s', async (_how, one, other) => {
  // Not joined, which would shorten it.
  const [reportFile, metricsFile] = [at(one), `${folder}/${other}`];
  const refused = (flags: Parameters<typeof prepareFiles>[0], two: string) =>
    expect(prepareFiles(flags)).rejects.toThrow(new UsageError(`${two} name the same file; use two`));
  await refused({ reportFile, metricsFile }, '--report-file and --metrics-file');
  await refused({ reportFile, terminationMessage: metricsFile }, '--report-file and --termination-message');
  await refused({ metricsFile, terminationMessage: reportFile }, '--metrics-file and --termination-message');
  expect((await readdir(folder)).sort()).toEqual(['folder', 'link', 'same-folder']);
});

it.each([
  ['of two files', 'one', 'other'],
  ['of two files with one name in two folders', 'file', 'folder/file'],
  ['of a device, where nothing is replaced', '/dev/null', '/dev/null'],
])('two flags may have the names %s', async (_what, one, other) => {
  const files = await prepareFiles({ reportFile: at(one), metricsFile: at(other) });
  expect(files.terminationMessage).toBeUndefined();
});
