import { expect, it } from 'vitest';
import { startedOnce } from '../../kit/started.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => TestCluster.start([stuckPod()]));

it.each<readonly [words: string, verb: 'list' | 'get', says: string]>([
  ['scan', 'list', 'cannot list pods in all namespaces: interrupted'],
  ['explain demo/stuck', 'get', 'the pod demo/stuck cannot be read: interrupted'],
])('Ctrl-C in %s says that it was interrupted, and exits as a sweep does', async (words, verb, says) => {
  const { faults } = cluster.emulator;
  faults.clear();
  let interrupt: () => void = () => undefined;
  faults.add({ verb }, { kind: 'Before', run: () => interrupt() }, { times: 1 });
  faults.add({ verb }, { kind: 'NeverAnswer' });
  const { exitCode, stderr } = await cluster.run(words.split(' '), {
    onStart: (child) => {
      interrupt = () => child.kill('SIGINT');
    },
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 5, stderr: `sidecar-sweeper: ${says}\n` });
});
