import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '../../kit/run-here.ts';
import { startedOnce, temporaryFolder } from '../../kit/started.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => TestCluster.start([stuckPod()]));
const folder = temporaryFolder('unverified');

const off = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };

it('NODE_TLS_REJECT_UNAUTHORIZED=0 is refused unless the command line says the same', async () => {
  const run = await cluster.run([], { env: off });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('--insecure-skip-tls-verify');
});

it.each([['--dry-run'], ['scan'], ['explain', 'demo/stuck'], ['check-access']])(
  '%s says that the server was not verified, to machines and people',
  async (...command) => {
    const unverified = [...command, '--insecure-skip-tls-verify'];
    const run = await cluster.runHere([...unverified, '-o', 'json'], { env: off });
    expect(JSON.parse(run.stdout).warnings).toMatchObject([{ kind: 'ServerUnverified' }]);
    const table = await cluster.runHere([...unverified, '-o', 'table'], { env: off });
    expect(table.stdout).toMatch(/certificate of .* is not checked/);
    expect(JSON.parse((await cluster.runHere([...command, '-o', 'json'])).stdout).warnings).toEqual([]);
  },
);

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
  const run = await runHere([...flags, '-o', 'json', '--kubeconfig', kubeconfig]);
  expect(run.exitCode).toBe(exitCode);
});
