import { spawn } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bundle, policyFlag } from '../../kit/cli.ts';
import { runExactly, runHere } from '../../kit/run-here.ts';
import { fileIn, temporaryFolder } from '../../kit/started.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';
import { linesOf, runOnTerminal } from '../../kit/terminal.ts';

const cluster = TestCluster.startedOnce([
  stuckPod({ name: 'here', namespace: 'demo' }),
  stuckPod({ name: 'there', namespace: 'etl' }),
]);
const folder = temporaryFolder('verbs');
let env: Readonly<Record<string, string>>;
beforeAll(() => {
  // The context of most users has a namespace.
  const text = cluster.emulator.kubeconfig().replace(/^( +)cluster: .*$/m, '$&\n$1namespace: demo');
  env = { KUBECONFIG: fileIn(folder, 'kubeconfig', text) };
});

it('a pod without a namespace is in that of the context', async () => {
  const explained = await runHere(['explain', 'here', '-o', 'json'], env);
  expect(JSON.parse(explained.stdout)).toMatchObject({ pod: { namespace: 'demo', name: 'here' } });
  const other = await runHere(['explain', 'there'], env);
  expect(other).toMatchObject({ exitCode: 3, stdout: '' });
  expect(other.stderr).toContain('demo');
  const swept = await runExactly(['sweep', '--dry-run', 'pod/here', '-o', 'json'], env);
  expect(JSON.parse(swept.stdout)).toMatchObject({
    scope: { pods: ['demo/here'] },
    pods: [{ name: 'here' }],
  });
});

/** What a command line prints as JSON that says nothing of namespaces, or -A. */
async function printed(...argv: readonly string[]) {
  const { stdout } = await runExactly([...argv, '-o', 'json'], env);
  return JSON.parse(stdout);
}

it.each([['scan'], ['advise'], ['sweep', '--dry-run', '-y']])(
  '%s looks in the namespace of the context, and with -A in all',
  async (...argv) => {
    expect(await printed(...argv)).toMatchObject({ scope: { namespaces: ['demo'] } });
    expect(await printed(...argv, '-A')).toMatchObject({ scope: { namespaces: [] } });
    expect(await printed(...argv, ...policyFlag({ namespaces: ['etl'] }))).toMatchObject({
      scope: { namespaces: ['etl'] },
    });
  },
);

it('explain and check-access look in the namespace of the context', async () => {
  expect(await printed('explain', '-l', '!none')).toMatchObject({ items: [{ pod: { name: 'here' } }] });
  expect((await printed('explain', '-l', '!none', '-A')).items).toHaveLength(2);
  const { permissions } = await printed('check-access', '--no-lock');
  expect(permissions).toContainEqual(expect.objectContaining({ verb: 'list', namespace: 'demo' }));
});

it('-o yaml says the same as -o json, also to programs that read YAML 1.1', async () => {
  const [json, yaml] = await Promise.all(
    ['json', 'yaml'].map((format) => runHere(['explain', 'demo/here', '-o', format], env)),
  );
  // A second may lie between the two.
  const withoutAges = (text = '') => text.replace(/\d+h\d+s/g, 'age');
  const { asOf: _, ...same } = JSON.parse(withoutAges(json?.stdout));
  expect(parse(withoutAges(yaml?.stdout), { version: '1.1' })).toMatchObject(same);
  expect(yaml?.stdout).toMatch(/^apiVersion: /);
});

it('a namespace that does not exist is named before that nothing was listed', async () => {
  const kubeconfig = env['KUBECONFIG'] ?? '';
  const run = await runOnTerminal('rows 24 cols 100', ['scan', '-n', 'jbos', '--kubeconfig', kubeconfig]);
  const lines = linesOf(run).filter((line) => line !== '');
  expect(lines.slice(-2)).toEqual([
    'sidecar-sweeper: namespace jbos does not exist',
    'No pods could be listed.',
  ]);
});

it('scan -w shows what has changed until it is interrupted', async () => {
  const child = spawn(process.execPath, [bundle, '-n', 'etl', 'scan', '-w', '-o', 'name'], {
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const shown = (async () => {
    let all = '';
    for await (const part of child.stdout.setEncoding('utf8')) {
      all += part;
      if (all === 'pod/there\n') {
        cluster.emulator.world.placePods([stuckPod({ name: 'too', namespace: 'etl' })]);
      }
      if (all.includes('too')) child.kill('SIGINT');
    }
    return all;
  })();
  expect(await shown).toBe('pod/there\n\npod/there\npod/too\n');
});
