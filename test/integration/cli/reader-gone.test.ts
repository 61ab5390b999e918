import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from '../../kit/cli.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;
beforeAll(async () => {
  // The report must be larger than a pipe's buffer.
  cluster = await TestCluster.start(
    Array.from({ length: 200 }, (_, index) => stuckPod({ name: `pod-${index}`, sidecar: sidecars.clean })),
  );
});
afterAll(() => cluster.stop());

it.each(['json', 'table'])(
  'a reader that closes the pipe, like `head -1`, is not an error (-o %s)',
  async (format) => {
    const argv = [
      '--dry-run',
      '--log-level',
      'silent',
      '-o',
      format,
      '--kubeconfig',
      await cluster.kubeconfig(),
    ];
    const child = spawn(process.execPath, [bundle, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [exitCode] = await closed;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  },
);
