import { describe, expect, it } from 'vitest';
import type { CliRun } from '../../kit/cli.ts';
import { startedOnce } from '../../kit/started.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => TestCluster.start([stuckPod()]));

/** The only error message: the one plain line, or the message of the only warning or error in the log. */
function errorLine({ stderr }: CliRun): string {
  expect(stderr).not.toMatch(/^\s+at /m);
  const messages = stderr
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('{')) return [line];
      const { level, message } = JSON.parse(line);
      return level === 'error' || level === 'warn' ? [message] : [];
    });
  expect(messages).toHaveLength(1);
  return messages[0] ?? '';
}

describe('rejected credentials are not printed, and exit with 3:', () => {
  const user = { name: 'stranger', token: 'secret-token' };
  const unknown =
    /^sidecar-sweeper: the permissions of this account are unknown: the API server does not accept the credentials .*; log in again, or choose another context with --context$/;

  it.each<readonly [argv: readonly string[], message: RegExp, printed: RegExp]>([
    [[], /does not accept the credentials/, /"kind":"Unread"/],
    [['check-access'], unknown, /^$/],
    [['check-access', '-o', 'json'], unknown, /"kind": "AccessReport"/],
  ])('%j', async (argv, message, printed) => {
    const run = await cluster.runHere(argv, { user });
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(message);
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
