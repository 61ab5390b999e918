import { expect, it } from 'vitest';
import { startedOnce } from '../kit/started.ts';
import { stuckPod } from '../kit/stuck-pods.ts';
import { FaultyCluster, type Played } from './faulty-cluster.ts';
import { tally } from './tally.ts';

const system = ['kube-system', 'kube-public', 'kube-node-lease'];
/** Similar names, which belong to users. */
const others = ['kube-systems', 'kubesystem', 'my-kube-system'];

const cluster = startedOnce(() => FaultyCluster.start());

const pods = (namespace: string) =>
  [namespace, ...system, ...others].map((one) =>
    stuckPod({ namespace: one, name: `in-${one}-for-${namespace}` }),
  );

const ended = ({ report, namespace }: Played) =>
  report.pods
    .filter(({ name, outcome }) => name.endsWith(`-for-${namespace}`) && outcome.kind === 'Ended')
    .map((pod) => pod.namespace);

it('D9: system namespaces are left alone unless they are named', async () => {
  const all = await cluster.play({ pods, flags: { namespaces: [] } });
  expect(ended(all).sort()).toEqual([all.namespace, ...others].sort());
  // The namespace itself says which cluster it is; nothing in it is read.
  const touched = cluster.emulator.requests.filter(
    ({ namespace = '', resource }) => system.includes(namespace) && resource !== 'namespaces',
  );
  expect(touched).toEqual([]);
  expect(all.exitCode).toBe(0);
  expect(all.report.totals.excludedBecause['SystemNamespace']).toBe(system.length);
  tally('badInputs', 'D9', system.length + others.length);
});

it.each(system)('D9: %s is swept if it is named, and not if it is excluded as well', async (name) => {
  const played = await cluster.play({ pods, flags: { namespaces: [name] } });
  expect(ended(played)).toEqual([name]);
  const excluded = await cluster.play({
    pods,
    flags: { namespaces: [name, 'kube-systems'] },
    policy: { excludeNamespaces: [name] },
  });
  expect(excluded.report.pods.map((pod) => pod.namespace)).not.toContain(name);
  tally('badInputs', 'D9', 2);
});

it('D9: the pod of the sweep itself is left alone', async () => {
  const self = { namespace: 'sweepers', name: 'sweeper-1' };
  const played = await cluster.play({
    pods: () => [
      stuckPod({ namespace: self.namespace, name: self.name }),
      stuckPod({ namespace: self.namespace, name: 'another' }),
    ],
    flags: { namespaces: [self.namespace] },
    self,
  });
  expect(played.report.pods.map(({ name }) => name)).toEqual(['another']);
  tally('badInputs', 'D9', 1);
});
