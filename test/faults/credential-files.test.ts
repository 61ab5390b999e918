import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { tally } from './tally.ts';
import { watchRun } from './watched-run.ts';

let cluster: TestCluster;
let folder: string;
beforeAll(async () => {
  cluster = await TestCluster.start([stuckPod()]);
  folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-files-'));
});
afterAll(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true });
});

/** A pipe that stays open and gives nothing, until the function that comes with it is called. */
function silentPipe(name: string): readonly [path: string, close: () => void] {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  const writer = spawn('sh', ['-c', `exec 3<> ${path}; exec sleep 600`]);
  return [path, () => void writer.kill()];
}

/** A kubeconfig that names this file in place of one of its credentials. */
async function naming(field: string, path: string): Promise<string> {
  const config = join(folder, `${field}-${path.replaceAll('/', '-')}`);
  const text = cluster.emulator.kubeconfig();
  const replaced =
    field === 'certificate-authority'
      ? text.replace(/certificate-authority-data: .*/, `certificate-authority: ${path}`)
      : text.replace(/token: .*/, field === 'tokenFile' ? `tokenFile: ${path}` : certificateFrom(path));
  await writeFile(config, replaced);
  return config;
}

const certificateFrom = (path: string) => `client-certificate: ${path}\n      client-key: ${path}`;

const scan = (kubeconfig: string) =>
  watchRun(['scan', '--request-timeout', '2s', '--kubeconfig', kubeconfig]);

describe('E6: a file of the kubeconfig that', () => {
  it.each(['tokenFile', 'certificate-authority', 'client-certificate'])(
    'never answers is given up with the request, and the process ends: %s',
    async (field) => {
      const [path, close] = silentPipe(field);
      try {
        const began = performance.now();
        const { exitCode, stderr } = await scan(await naming(field, path));
        expect(stderr).toContain('could not be read within 2s');
        expect(exitCode).toBe(3);
        expect(performance.now() - began).toBeLessThan(10_000);
        tally('faults', 'E6', 1);
      } finally {
        close();
      }
    },
  );

  it.each(['tokenFile', 'certificate-authority', 'client-certificate'])(
    'never ends takes little memory: %s',
    async (field) => {
      const { exitCode, stderr, peakMiB } = await scan(await naming(field, '/dev/zero'));
      expect(stderr).toContain('it has more than 1 MiB');
      expect(exitCode).toBe(3);
      expect(peakMiB).toBeLessThan(150);
      tally('faults', 'E6', 1);
    },
  );

  it.each(['tokenFile', 'certificate-authority', 'client-certificate'])(
    'is on a mount that hangs is told in time, and the process ends without waiting for its thread: %s',
    async (field) => {
      // As a mount that hangs, a pipe without a writer blocks the thread that opens it, unless it is opened as the product does.
      const path = join(folder, `hangs-${field}`);
      execFileSync('mkfifo', [path]);
      const hangs = join(folder, 'hangs.mjs');
      await writeFile(
        hangs,
        `import fs, { constants } from 'node:fs';
        import { syncBuiltinESMExports } from 'node:module';
        const { open } = fs;
        fs.open = (path, flags, ...others) =>
          open(path, String(path).includes('hangs-') ? flags & ~constants.O_NONBLOCK : flags, ...others);
        syncBuiltinESMExports();`,
      );
      const began = performance.now();
      const kubeconfig = await naming(field, path);
      const argv = ['scan', '--request-timeout', '2s', '--kubeconfig', kubeconfig];
      const { exitCode, stderr } = await watchRun(argv, { NODE_OPTIONS: `--import ${hangs}` });
      expect(stderr).toContain('could not be read within 2s');
      expect(exitCode).toBe(null);
      expect(performance.now() - began).toBeLessThan(10_000);
      tally('faults', 'E6', 1);
    },
  );

  it('stops answering during a sweep does not keep the process from its end', async () => {
    const token = join(folder, 'token');
    const text = cluster.emulator.kubeconfig();
    await writeFile(token, /token: (.*)/.exec(text)?.[1] ?? '');
    const config = await naming('tokenFile', token);
    const slow = stuckPod({
      name: 'slow',
      sidecar: { on: { SIGTERM: { exitCode: 0, after: 12_000 } } },
      grace: 30,
    });
    cluster.emulator.world.placePods([slow]);
    const flags = ['sweep', '--yes', '--no-lock', '--min-age', '0s', '-o', 'json'];
    const running = watchRun([...flags, '--request-timeout', '3s', '--kubeconfig', config]);
    const timer = setTimeout(() => execFileSync('sh', ['-c', `rm ${token}; mkfifo ${token}`]), 4_000);
    const writer = setTimeout(() => spawn('sh', ['-c', `exec 3<> ${token}; exec sleep 20`]), 4_100);
    const { exitCode, stdout } = await running;
    clearTimeout(timer);
    clearTimeout(writer);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ totals: { candidates: 2 } });
    tally('faults', 'E6', 1);
  });
});

it('E6: a port that refuses connections is the first thing that is said, and at once', async () => {
  const kubeconfig = join(folder, 'refused');
  await writeFile(
    kubeconfig,
    cluster.emulator.kubeconfig().replace(/server: .*/, 'server: https://127.0.0.1:1'),
  );
  for (const command of [['scan'], ['sweep', '--yes', '--log-level', 'error']]) {
    const began = performance.now();
    const argv = [...command, '-n', 'demo', '--kubeconfig', kubeconfig];
    const { exitCode, stdout, stderr } = await watchRun(argv);
    const [first = ''] = `${stderr}${stdout}`.split('\n');
    expect(first).toContain('https://127.0.0.1:1 refuses connections');
    expect(first).not.toContain('Lease');
    expect(first).toContain('in namespace demo');
    expect(exitCode).toBe(3);
    expect(performance.now() - began).toBeLessThan(5_000);
    tally('faults', 'E6', 1);
  }
});
