import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../../cli.ts';
import { TestCluster } from '../stuck-pods.ts';

let cluster: TestCluster;
let folder: string;
beforeAll(async () => {
  cluster = await TestCluster.start([]);
  folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-unverified-'));
});
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

const off = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };

it('NODE_TLS_REJECT_UNAUTHORIZED=0 is refused unless the command line says the same', async () => {
  const run = await cluster.run([], { env: off });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('--insecure-skip-tls-verify');
});

it('the report says that the server was not verified', async () => {
  const run = await cluster.run(['-o', 'json', '--insecure-skip-tls-verify'], { env: off });
  expect(run.exitCode).toBe(0);
  expect(JSON.parse(run.stdout).warnings).toMatchObject([{ kind: 'ServerUnverified' }]);
});

it.each<readonly [what: string, flags: readonly string[], exitCode: number]>([
  ['--request-timeout', ['--request-timeout', '1s'], 3],
  ['--deadline', ['--deadline', '1s'], 5],
])('a credential plugin that hangs does not defeat %s', async (_what, flags, exitCode) => {
  const plugin = join(folder, 'plugin');
  writeFileSync(plugin, '#!/bin/sh\nsleep 3600\n');
  chmodSync(plugin, 0o755);
  const exec = `exec: {apiVersion: client.authentication.k8s.io/v1, command: ${plugin}, interactiveMode: Never}`;
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, cluster.emulator.kubeconfig().replace(/token: .*/, exec));
  const run = await runCli([...flags, '-o', 'json', '--kubeconfig', kubeconfig]);
  expect(run.exitCode).toBe(exitCode);
});
