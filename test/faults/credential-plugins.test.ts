import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '../kit/run-here.ts';
import { startedOnce, temporaryFolder } from '../kit/started.ts';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => TestCluster.start([stuckPod()]));
const folder = temporaryFolder('plugins');

const canary = 'canary-token-9f3a';
const printed = (status: unknown, apiVersion = 'client.authentication.k8s.io/v1') =>
  `echo '${JSON.stringify({ kind: 'ExecCredential', apiVersion, status })}'`;

/** What a plugin does, and what is told of it. */
const plugins: readonly (readonly [what: string, script: string, told: RegExp])[] = [
  ['fails', `echo ${canary} >&2; exit 1`, /exited with code 1/],
  ['is killed', 'kill -KILL $$', /was ended by SIGKILL/],
  ['prints nothing', 'true', /something other than an ExecCredential/],
  ['prints prose', `echo Your token is ${canary}`, /something other than an ExecCredential/],
  ['prints an array', `echo '["${canary}"]'`, /something other than an ExecCredential/],
  ['prints null', 'echo null', /something other than an ExecCredential/],
  [
    'prints half an answer',
    `echo '{"kind": "ExecCredential", "status": {"token": "${canary}'`,
    /something other/,
  ],
  ['prints bytes', 'head -c 1000 /dev/urandom', /something other than an ExecCredential/],
  ['prints without an end', 'yes', /printed more than/],
  ['answers in another version', printed({ token: canary }, 'v1beta1'), /in another version/],
  ['has no status', printed(null), /neither a token nor a certificate/],
  ['gives an empty token', printed({ token: '' }), /neither a token nor a certificate/],
  ['gives a number', printed({ token: 5 }), /neither a token nor a certificate/],
  ['gives half a pair', printed({ clientKeyData: canary }), /only one of certificate and key/],
  ['hangs', 'sleep 3600', /did not answer within 3s/],
  ['hangs and ignores SIGTERM', 'trap "" TERM; while :; do sleep 1; done', /did not answer within 3s/],
  ['leaves a child that holds its output', 'sleep 3600 & exit 0', /did not answer within 3s/],
];

describe.concurrent('E2: a credential plugin that', () => {
  it.each(plugins)('%s: nothing is sent, and one line says so', async (what, script, told) => {
    const plugin = join(folder, what.replaceAll(' ', '-'));
    await writeFile(plugin, `#!/bin/sh\n${script}\n`);
    await chmod(plugin, 0o755);
    const exec = `exec: {apiVersion: client.authentication.k8s.io/v1, command: ${plugin}, interactiveMode: Never}`;
    const kubeconfig = `${plugin}.config`;
    await writeFile(kubeconfig, cluster.emulator.kubeconfig().replace(/token: .*/, exec));
    const limit = told.source.includes('3s') ? '3s' : '1m';
    const run = await runHere(
      [
        ...`--no-lock --request-timeout ${limit} --log-level error -o json --kubeconfig`.split(' '),
        kubeconfig,
      ],
      { PATH: process.env['PATH'] ?? '' },
    );
    expect(run.exitCode).toBe(3);
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(run.stderr).message).toMatch(told);
    expect(JSON.parse(run.stdout)).toMatchObject({ pods: [], unread: [{}] });
    expect(run.stdout + run.stderr).not.toContain(canary);
    expect(cluster.emulator.requests).toEqual([]);
    tally('faults', 'E2', 1);
  });
});
