import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureNamespace, type LightBehaviour } from '../../kit/emulator/index.ts';
import { TestCluster } from '../../kit/stuck-pods.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const ends: LightBehaviour = { ends: { exitCode: 0 } };
const obeys: LightBehaviour = { on: { SIGTERM: { exitCode: 0 } } };

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await TestCluster.start([], { behaviours: (_, { name }) => (name === 'main' ? ends : obeys) });
});
afterEach(() => cluster.stop());

async function start(...argv: readonly string[]) {
  const env = { ...process.env, KUBECONFIG: await cluster.kubeconfig() };
  const all = ['--import', 'tsx', 'scripts/bench/main.ts', '--real', '--rounds', '1', '--json', ...argv];
  return spawn(process.execPath, all, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function bench(...argv: readonly string[]) {
  const child = await start(...argv);
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, exitCode };
}

/** The namespaces of all writes; execs have the verb get, and count. Questions about permissions write nothing. */
function written(): readonly string[] {
  const writes = cluster.emulator.requests.filter(
    ({ verb, group, subresource }) =>
      subresource === 'exec' ||
      (!['', 'get', 'list', 'watch'].includes(verb) && group !== 'authorization.k8s.io'),
  );
  return [...new Set(writes.map(({ resource, namespace, name }) => namespace || name || resource))];
}

const namespaceOf = (name: string) => cluster.emulator.world.store.get('namespaces', undefined, name);

it('a scan of a real cluster writes nothing', async () => {
  const { stdout, exitCode } = await bench('--only', 'scan-real');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ 'scan-real': { vsPlainNode: expect.any(Number), pods: 0 } });
  expect(written()).toEqual([]);
});

it('a sweep of a real cluster writes only to its own namespace, and removes it', async () => {
  const { stdout, stderr } = await bench('--fill', '3', '--namespace', 'own', '--only', 'sweep-real-clean');
  expect(stderr).not.toMatch(/error/);
  expect(JSON.parse(stdout)).toMatchObject({ 'sweep-real-clean': { vsBareLoop: expect.any(Number) } });
  // The namespace itself is created by a request without a name.
  expect(written()).toEqual(['namespaces', 'own']);
  expect(namespaceOf('own')).toBeUndefined();
});

it('Ctrl-C removes the namespace, too', async () => {
  const child = await start('--fill', '3', '--namespace', 'own', '--only', 'sweep-real-clean');
  const closed = once(child, 'close');
  while (!namespaceOf('own')) await sleep(20);
  child.kill('SIGINT');
  expect((await closed)[0]).toBe(130);
  expect(namespaceOf('own')).toBeUndefined();
});

it('a namespace that was there before is left alone', async () => {
  ensureNamespace(cluster.emulator.world, 'own');
  const { stderr, exitCode } = await bench('--fill', '3', '--namespace', 'own', '--only', 'sweep-real-clean');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^error: sweep-real-clean: the namespace own exists already$/m);
  expect(namespaceOf('own')).toBeDefined();
});
