import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundle, policyFlag } from '../kit/cli.ts';
import { ensureNamespace, type Pod } from '../kit/emulator/index.ts';
import { startedOnce, temporaryFolder } from '../kit/started.ts';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { longestEnd } from './struck.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => TestCluster.start());
const folder = temporaryFolder('unread');

/** More than a pipe and the buffers around it hold. */
const pods = 80;
/** What an unread output may take, and as much again for a busy machine. */
const longest = 120_000;

/** Sweeps with pipes that are open and unread, and sends a signal once the Lease is given back. */
async function sweepInto(unread: readonly ('stdout' | 'stderr' | 'report')[], signal?: NodeJS.Signals) {
  const namespace = `case-${unread.join('-')}-${signal}`.toLowerCase();
  const { world } = cluster.emulator;
  ensureNamespace(world, namespace);
  world.placePods(Array.from({ length: pods }, (_, index) => stuckPod({ namespace, name: `pod-${index}` })));
  const held = new Map(unread.map((name) => [name, pipeIn(join(folder, `${namespace}-${name}`))]));
  const report = held.get('report')?.path ?? join(folder, `${namespace}-report`);
  const where = `-n ${namespace} --lock ${namespace}`.split(' ');
  const options = ['sweep', '--yes', ...where, '-o', 'json', '--report-file', report];
  const child = spawn(process.execPath, [bundle, ...options, '--kubeconfig', await cluster.kubeconfig()], {
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
    stdio: ['ignore', held.get('stdout')?.to ?? 'ignore', held.get('stderr')?.to ?? 'ignore'],
  });
  const ended = once(child, 'exit');
  const isLeft = () => Object(world.store.list('leases', namespace)[0]?.['spec']).holderIdentity === '';
  await expect.poll(isLeft, { timeout: longest }).toBe(true);
  const phases = world.store.list<Pod>('pods', namespace).map(({ status }) => status?.phase);
  expect(new Set(phases)).toEqual(new Set(['Succeeded']));
  const left = performance.now();
  if (signal) child.kill(signal);
  const [exitCode] = await ended;
  for (const { to, from } of held.values()) for (const each of [to, from]) closeSync(each);
  tally('faults', 'C10', 1);
  return { exitCode, wentOn: performance.now() - left };
}

function pipeIn(path: string) {
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
  // For both, so that it does not wait for a reader.
  return { path, from: openSync(path, 'r+'), to: openSync(path, 'w') };
}

describe.concurrent('C10: an output that is unread for a whole sweep keeps', () => {
  it('neither the sweep nor the process from its end', async () => {
    const { exitCode, wentOn } = await sweepInto(['stdout']);
    expect(exitCode).toBe(0);
    expect(wentOn).toBeLessThan(longest);
  });

  it.each([
    ['outputs', ['stdout', 'stderr']],
    ['report file', ['report', 'stderr']],
  ] as const)('the process from its end within 5 s of a signal: %s', async (_title, unread) => {
    const { exitCode, wentOn } = await sweepInto(unread, 'SIGTERM');
    expect(exitCode).toBe(0);
    expect(wentOn).toBeLessThan(longestEnd);
  });
});

it('C7: a Pushgateway that never answers has no time of its own after a signal', async () => {
  const gateway = createServer().listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const address = gateway.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const namespace = 'case-gateway';
  const { world, faults } = cluster.emulator;
  ensureNamespace(world, namespace);
  world.placePods([stuckPod({ namespace })]);
  let stopped = performance.now();
  let kill = () => {};
  const run = () => {
    stopped = performance.now();
    kill();
  };
  // The exec takes all the time that there is for what is under way.
  faults.add({ namespace, subresource: 'exec' }, { kind: 'Before', run });
  faults.add({ namespace, subresource: 'exec' }, { kind: 'NeverAnswer' });
  const swept = await cluster.run(
    ['-n', namespace, '--lock', namespace, ...policyFlag({ pushgatewayUrl: url })],
    {
      onStart: (child) => {
        kill = () => child.kill('SIGTERM');
      },
    },
  );
  expect(performance.now() - stopped).toBeLessThan(longestEnd);
  expect(swept.exitCode).toBe(5);
  expect(swept.stderr).toContain('could not write metrics to the Pushgateway');
  gateway.close();
  tally('faults', 'C7', 1);
});
