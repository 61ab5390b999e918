import { describe, expect, it } from 'vitest';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = TestCluster.startedOnce([stuckPod()]);

describe('rejected credentials are not printed, and exit with 3:', () => {
  const user = { name: 'stranger', token: 'secret-token' };
  const unknown =
    /^sidecar-sweeper: the permissions of this account are unknown: the API server does not accept the credentials .*; log in again, or choose another context with --context\n$/;

  it.each([
    [[], /^$/],
    [['-o', 'json'], /"kind": "AccessReport"/],
  ])('check-access %j', async (output, printed) => {
    const run = await cluster.runHere(['check-access', ...output], { user });
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toMatch(unknown);
    expect(run.stdout).toMatch(printed);
    expect(run.stdout + run.stderr).not.toContain(user.token);
  });
});

it.each<readonly [words: string, verb: 'list' | 'get', says: string]>([
  ['scan', 'list', 'cannot list pods in all namespaces: interrupted'],
  ['explain demo/stuck', 'get', 'the pod demo/stuck cannot be read: interrupted'],
])('Ctrl-C in %s says that it was interrupted, and exits as a sweep does', async (words, verb, says) => {
  cluster.emulator.faults.clear();
  const run = cluster.runStruck({ verb }, (child) => child.kill('SIGINT'), words.split(' '));
  cluster.emulator.faults.add({ verb }, { kind: 'NeverAnswer' });
  const { exitCode, stderr } = await run;
  expect({ exitCode, stderr }).toEqual({ exitCode: 5, stderr: `sidecar-sweeper: ${says}\n` });
});
