import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../kit/cli.ts';

it.each([
  ['that cannot be created', '/proc/none'],
  ['that is a file', '/etc/hostname'],
])('the program starts with a folder for its compiled code %s', async (_title, folder) => {
  const run = await runCli(['--version'], { env: { XDG_CACHE_HOME: folder } });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
});

it('the program starts again with the compiled code that it has kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-cache-'));
  try {
    const start = () => runCli(['--help'], { env: { XDG_CACHE_HOME: folder } });
    const first = await start();
    expect(first.exitCode).toBe(0);
    expect(await start()).toEqual(first);
  } finally {
    await rm(folder, { recursive: true });
  }
});
