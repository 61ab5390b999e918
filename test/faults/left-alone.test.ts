import { expect, it } from 'vitest';
import { container, stuckPod } from '../kit/stuck-pods.ts';
import { expectSound, FaultyCluster, type Played } from './faulty-cluster.ts';
import { tally } from './tally.ts';

const cluster = FaultyCluster.startedOnce();

const own = 'sidecar-sweeper.dev';

/** Annotations that do not tell that the container `sidecar` is one, and `main` is not. */
// biome-ignore format: as many as fit on a line
const annotations: readonly Readonly<Record<string, string>>[] = [
  '', ' ', ',', 'other', 'Sidecar', 'side car', 'sidecar2', 'side', '*', 'side*', '.*', '[sidecar]',
  '["sidecar"]', 'sidecar;', 'sidecar main', 'null', 'true', '__proto__', 'constructor', 's\u0456decar',
  'sidecar\u200b', 'main', 'main,sidecar', 'sidecar,main', ' main , sidecar ', 'main,main', 'sidecar\0',
  '\u202erecadis',
].map((names) => ({ [`${own}/sidecars`]: names }));

const contradictions: readonly Readonly<Record<string, string>>[] = [
  { [`${own}/main`]: 'sidecar' },
  { [`${own}/main`]: 'main,sidecar' },
  { [`${own}/skip`]: 'true' },
  { [`${own}/min-age`]: '9999w' },
  { [`${own}/sidecars`]: '', [`${own}/kill-cmd-main`]: '["kill", "1"]' },
  { [`${own}/sidecars`]: '', 'workflows.argoproj.io/kill-cmd-main': '["kill", "1"]' },
  { [`${own}/sidecars`]: '', 'sidecar.istio.io/status': '{"containers":["main"]}' },
  { [`${own}/sidecars`]: '', 'sidecar.istio.io/status': '{"containers":"sidecar"}' },
  { [`${own}/sidecars`]: '', 'sidecar.istio.io/status': '{"containers":[["sidecar"]]}' },
  { [`${own}/sidecars`]: '', 'sidecar.istio.io/status': '[' },
  { [`${own}/sidecars`]: '', 'nrmitchi.com/sidecars': 'main' },
  { [`${own}/sidecars`]: '', 'riskified.com/main_sidecars': 'sidecar' },
];

/** One of them is unknown, and runs. */
const containers = ['main', 'sidecar', 'worker'].map((name) => container(name));

it('D8: what is not known to be a sidecar is left alone, and so is its pod', async () => {
  const all = [...annotations, ...contradictions];
  const played = await cluster.play({
    flags: { minAge: 60_000 },
    pods: (namespace) => [
      stuckPod({ namespace, name: 'neighbour' }),
      stuckPod({ namespace, name: 'unknown', spec: { containers } }),
      ...all.map((each, index) => stuckPod({ namespace, name: `pod-${index}`, annotations: each })),
    ],
  });
  const acted = played.report.pods.map(({ name }) => name);
  expect(acted.map((name) => all[Number(name.replace('pod-', ''))] ?? name)).toEqual(['neighbour']);
  const sent = played.requests.filter(({ subresource, name }) => subresource !== '' && name !== 'neighbour');
  expect(sent).toEqual([]);
  expect(played.exitCode).toBe(0);
  for (const pod of played.before.filter(({ metadata }) => metadata.name !== 'neighbour')) {
    const { namespace, name, resourceVersion } = pod.metadata;
    const after = played.store.list('pods', namespace).find(({ metadata }) => metadata.name === name);
    expect(after?.metadata.resourceVersion, name).toBe(resourceVersion);
  }
  expectSound(
    [{ ...played, before: played.before.filter(({ metadata }) => metadata.name === 'neighbour') }],
    'D8',
  );
  tally('badInputs', 'D8', all.length + 1);
});

const system = ['kube-system', 'kube-public', 'kube-node-lease'];
/** Similar names, which belong to users. */
const others = ['kube-systems', 'kubesystem', 'my-kube-system'];

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
