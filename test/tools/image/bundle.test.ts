import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const bundle = fileURLToPath(new URL('../../../dist', import.meta.url));

it('the bundle sweeps from an otherwise empty folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-bundle-'));
  const cluster = await TestCluster.start([stuckPod()]);
  try {
    await cp(bundle, join(folder, 'dist'), { recursive: true });
    const file = join(folder, 'dist', 'sidecar-sweeper.mjs');
    const kubeconfig = await cluster.kubeconfig();
    const args = [file, 'sweep', '-A', '--yes', '--kubeconfig', kubeconfig, '-o', 'json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env: {} });
    expect(JSON.parse(stdout).totals).toMatchObject({ candidates: 1, sidecars: { Stopped: 1 } });
    expect(await readdir(folder)).toEqual(['dist']);
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true });
  }
});
