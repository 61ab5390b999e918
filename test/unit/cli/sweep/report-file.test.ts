import { execFileSync, spawnSync } from 'node:child_process';
import { constants, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prepareReportFile } from '../../../../src/cli/sweep/report-file.ts';
import { UsageError } from '../../../../src/usage-error.ts';

const module = new URL('../../../../src/cli/sweep/report-file.ts', import.meta.url).href;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));

describe('the file of a report', () => {
  it('is not there before the report is', async () => {
    const write = await prepareReportFile(join(folder, 'report.json'));
    expect(await readdir(folder)).toEqual([]);
    await write({ a: 1 });
    expect(await readdir(folder)).toEqual(['report.json']);
    expect(await read('report.json')).toEqual({ a: 1 });
  });

  it('keeps the report before until then, and a link to it', async () => {
    await writeFile(join(folder, 'before.json'), '{"before":true}');
    await symlink(join(folder, 'before.json'), join(folder, 'report.json'));
    const write = await prepareReportFile(join(folder, 'report.json'));
    expect(await read('report.json')).toEqual({ before: true });
    await write({ a: 1 });
    expect(await read('before.json')).toEqual({ a: 1 });
    expect((await readdir(folder)).sort()).toEqual(['before.json', 'report.json']);
  });

  it('is where a link points, even if nothing is there yet', async () => {
    await symlink('later.json', join(folder, 'report.json'));
    await (await prepareReportFile(join(folder, 'report.json')))({ a: 1 });
    expect(await read('later.json')).toEqual({ a: 1 });
    await symlink('circle', join(folder, 'circle'));
    await expect(prepareReportFile(join(folder, 'circle'))).rejects.toThrow(/ELOOP/);
  });

  it('may be a device', async () => {
    await (await prepareReportFile('/dev/null'))({ a: 1 });
  });

  it('may be a pipe, whose reader gets the report', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(prepareReportFile(pipe)).rejects.toThrow(
      new UsageError(`cannot write the report to ${pipe}: nobody reads it`),
    );
    const reading = readFile(pipe, 'utf8');
    const write = await vi.waitFor(() => prepareReportFile(pipe));
    await write({ a: 1 });
    expect(JSON.parse(await reading)).toEqual({ a: 1 });
  });

  it('may be a pipe whose reader reads nothing: the process may end all the same', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const script = `
      import { prepareReportFile } from ${JSON.stringify(module)};
      const write = await prepareReportFile(${JSON.stringify(pipe)});
      void write({ large: 'x'.repeat(1_000_000) });
      setTimeout(() => process.exit(7), 100);
    `;
    const reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const ended = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      timeout: 60_000,
    });
    expect(ended.status).toBe(7);
    await reader.close();
  });

  it.each([
    ['a directory', '.', /it is a directory$/],
    [
      'in a folder that is missing',
      'missing/report.json',
      /missing\/report.json: ENOENT: no such file or directory$/,
    ],
    ['below a file', 'file/report.json', /ENOTDIR/],
  ])('is refused at once if it is %s', async (_what, name, problem) => {
    await writeFile(join(folder, 'file'), '');
    const refused = prepareReportFile(join(folder, name));
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(problem);
  });

  it('is refused at once if it has no name', async () => {
    await expect(prepareReportFile('')).rejects.toThrow(/cannot write the report to : its name is empty$/);
  });
});
