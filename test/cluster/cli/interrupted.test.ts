import { afterEach, expect, it } from 'vitest';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;
afterEach(() => cluster.stop());

it.each<readonly [words: string, verb: 'list' | 'get' | 'create', says: string]>([
  ['scan', 'list', 'cannot list pods in all namespaces: interrupted'],
  ['advise', 'list', 'cannot list pods in all namespaces: interrupted'],
  ['explain demo/stuck', 'get', 'the pod demo/stuck cannot be read: interrupted'],
  ['check-access', 'create', 'the permissions of this account are unknown: interrupted'],
])('Ctrl-C in %s says that it was interrupted, and exits as a sweep does', async (words, verb, says) => {
  cluster = await TestCluster.start([stuckPod()]);
  const { faults } = cluster.emulator;
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
