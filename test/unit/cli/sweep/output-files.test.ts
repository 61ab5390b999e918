import { execFileSync, spawnSync } from 'node:child_process';
import {
  constants,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Mode, prepareFile, prepareFiles } from '../../../../src/cli/sweep/output-files.ts';
import { UsageError } from '../../../../src/util/usage-error.ts';
import { itUnless } from '../../../kit/needs.ts';

const module = new URL('../../../../src/cli/sweep/output-files.ts', import.meta.url).href;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

const read = (name: string) => readFile(join(folder, name), 'utf8');
const prepare = (name: string, mode: Mode = 'Replace') =>
  prepareFile(name.startsWith('/') ? name : join(folder, name), 'the report', mode);

describe.each<Mode>(['Replace', 'InPlace'])('a file (%s)', (mode) => {
  it('is not there before its text is', async () => {
    const write = await prepare('report.json', mode);
    expect(await readdir(folder)).toEqual([]);
    await write('text');
    expect(await readdir(folder)).toEqual(['report.json']);
    expect(await read('report.json')).toBe('text');
  });

  it('keeps the text before until then, and a link to it', async () => {
    await writeFile(join(folder, 'before.json'), 'before');
    await symlink(join(folder, 'before.json'), join(folder, 'report.json'));
    const write = await prepare('report.json', mode);
    expect(await read('report.json')).toBe('before');
    await write('text');
    expect(await read('before.json')).toBe('text');
    expect((await readdir(folder)).sort()).toEqual(['before.json', 'report.json']);
  });

  it('is where a link points, even if nothing is there yet', async () => {
    await symlink('later.json', join(folder, 'report.json'));
    const write = await prepare('report.json', mode);
    expect(await readdir(folder)).toEqual(['report.json']);
    await write('text');
    expect(await read('later.json')).toBe('text');
  });

  it('leaves nothing half written behind if the text breaks off', async () => {
    const write = await prepare('report.json', mode);
    function* breaksOff() {
      yield 'x'.repeat(2 ** 20);
      throw new Error('no more');
    }
    await expect(write(breaksOff())).rejects.toThrow('no more');
    expect((await readdir(folder)).filter((name) => name !== 'report.json')).toEqual([]);
    if (mode === 'Replace') expect(await readdir(folder)).toEqual([]);
  });

  it('may be prepared by several at once', async () => {
    const writes = await Promise.all(Array.from({ length: 20 }, () => prepare('report.json', mode)));
    await Promise.all(writes.map((write) => write('text')));
    expect(await readdir(folder)).toEqual(['report.json']);
    expect(await read('report.json')).toBe('text');
  });

  it('may be a device, which stays one', async () => {
    await (await prepare('/dev/null', mode))('text');
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });

  it('may be a pipe, whose reader gets the text', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(prepare('pipe', mode)).rejects.toThrow(
      new UsageError(`cannot write the report to ${pipe}: no process reads it`),
    );
    const reading = readFile(pipe, 'utf8');
    const write = await vi.waitFor(() => prepare('pipe', mode));
    await write('text');
    expect(await reading).toBe('text');
  });

  it.each([
    ['a directory', '.', () => 'it is a directory; name a file in it'],
    ['in a folder that is missing', 'missing/report.json', () => `there is no directory ${folder}/missing`],
    ['a link to such a folder', 'astray', () => 'there is no directory /nonexistent'],
    ['below a file', 'file/report.json', () => 'not a directory'],
    ['where the kernel has its own', '/proc/report', () => 'no such file or directory'],
    ['too long a name', 'x'.repeat(256), () => 'name too long'],
    ['a link to itself', 'circle', () => 'too many symbolic links encountered'],
  ])('is refused at once if it is %s', async (_what, name, problem) => {
    await writeFile(join(folder, 'file'), '');
    await symlink('/nonexistent/report.json', join(folder, 'astray'));
    await symlink('circle', join(folder, 'circle'));
    const refused = prepare(name, mode);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(`: ${problem()}`);
  });
});

/** Where a container may not do so, there is nothing to try. */
const mounting = 'exec unshare --user --map-root-user --mount';
const noMounts =
  spawnSync('sh', ['-c', `${mounting} true`]).status === 0 ? undefined : 'unshare --mount is not allowed';

itUnless(noMounts, 'a file that is mounted by itself is written in place', async () => {
  const [file, source] = [join(folder, 'report.json'), join(folder, 'on-the-host.json')];
  await Promise.all([writeFile(file, ''), writeFile(source, 'a longer text before')]);
  const script = `
    import { prepareFile } from ${JSON.stringify(module)};
    const write = await prepareFile(${JSON.stringify(file)}, 'the report', 'Replace');
    await write('text');
  `;
  const inPlace = 'mount --bind "$1" "$2" && exec "$3" --import tsx --input-type=module -e "$4"';
  const argv = ['-c', `${mounting} sh -c '${inPlace}' sh "$@"`, 'sh'];
  const { status, stderr } = spawnSync('sh', [...argv, source, file, process.execPath, script], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(await readFile(source, 'utf8')).toBe('text');
  expect((await readdir(folder)).sort()).toEqual(['on-the-host.json', 'report.json']);
});

it('a pipe whose reader reads nothing keeps no process from ending', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const script = `
    import { prepareFile } from ${JSON.stringify(module)};
    const write = await prepareFile(${JSON.stringify(pipe)}, 'the report', 'Replace');
    void write('x'.repeat(1_000_000));
    setTimeout(() => process.exit(7), 100);
  `;
  const reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const ended = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    timeout: 60_000,
  });
  expect(ended.status).toBe(7);
  await reader.close();
});

describe('two flags', () => {
  const at = (path: string) => (path.startsWith('/') ? path : join(folder, path));

  beforeEach(async () => {
    await mkdir(join(folder, 'folder'));
    await symlink('folder', join(folder, 'same-folder'));
    await symlink('folder/file', join(folder, 'link'));
  });

  it.each([
    ['by the same name', 'file', 'file'],
    ['by a longer name', 'file', 'folder/../file'],
    ['by a link', 'folder/file', 'link'],
    ['by a link to its folder', 'folder/file', 'same-folder/file'],
  ])('cannot name the same file, %s', async (_how, one, other) => {
    // Not joined, which would shorten it.
    const paths = { reportFile: at(one), terminationMessage: `${folder}/${other}` };
    const expected = new UsageError('--report-file and terminationMessage name the same file; use two');
    await expect(prepareFiles(paths)).rejects.toThrow(expected);
    expect((await readdir(folder)).sort()).toEqual(['folder', 'link', 'same-folder']);
  });

  it.each([
    ['of two files', 'one', 'other'],
    ['of two files with one name in two folders', 'file', 'folder/file'],
    ['of a device, where nothing is replaced', '/dev/null', '/dev/null'],
  ])('can have the names %s', async (_what, one, other) => {
    const files = await prepareFiles({ reportFile: at(one), terminationMessage: at(other) });
    expect(Object.keys(files)).toEqual(['reportFile', 'terminationMessage']);
  });
});
