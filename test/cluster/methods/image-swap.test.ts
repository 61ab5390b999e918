import { expect, it } from 'vitest';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import { readPolicy } from '../../../src/policy/policy-file.ts';
import { fileOf } from '../../builders/policy.ts';
import { BEHAVIOUR_ANNOTATION } from '../../kit/emulator/index.ts';
import { noopImages, sleep } from '../../kit/random/noop-images.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { startedOnce } from '../../kit/started.ts';
import { sidecarOutcome, sidecars, stuckPod } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => SimulatedCluster.start());

const imageSwap = { ...noopImages.HasAll, commands: 'shipped' };

it.each<readonly [title: string, answer: number | undefined, log: object]>([
  ['is kept in the record first', undefined, { lines: expect.any(Array) }],
  ['does not stop the swap if it cannot be read', 403, { lines: [], problem: expect.any(String) }],
])('on request, the log that a swap takes %s', async (_title, status, log) => {
  const namespace = `logs-${status ?? 200}`;
  const { emulator, simulation } = cluster;
  emulator.world.placePods([stuckPod({ name: 'a', namespace, sidecar: sidecars.immune, grace: 2 })]);
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'forbidden', code: status };
  if (status) emulator.faults.add({ subresource: 'log' }, { kind: 'Answer', status, body });
  const policy = resolvePolicy({}, fileOf({ namespaces: [namespace], keepLogs: 5, imageSwap }));
  const report = await simulation.run(cluster.sweep(namespace, policy, () => undefined));
  expect(sidecarOutcome(report, 'a')).toEqual({ kind: 'Stopped', exitCode: 0 });
  const swaps = report.pods.flatMap(({ containers }) =>
    containers.flatMap((one) => (one.role === 'Sidecar' ? one.attempts : [])),
  );
  expect(swaps.filter(({ method }) => method === 'ImageSwap')).toMatchObject([{ log }]);
});

it('a last resort may swap for another image than the one that the API server was asked about', async () => {
  const namespace = 'another';
  const { emulator, simulation } = cluster;
  const { manifest, states } = stuckPod({ name: 'a', namespace, sidecar: sidecars.immune, grace: 2 });
  const containers = manifest.spec.containers.map((one) => ({ ...one, command: ['/opt/own'] }));
  // Its owner may run it again, so that an image is not tried of which nothing says that it has this program.
  const owner = { apiVersion: 'acme.example/v1', kind: 'Run', name: 'a', uid: 'a', controller: true };
  const metadata = { ...manifest.metadata, ownerReferences: [owner] };
  emulator.world.placePods([
    { manifest: { ...manifest, metadata, spec: { ...manifest.spec, containers } }, states },
  ]);
  const read = readPolicy(
    JSON.stringify({
      apiVersion: 'sidecar-sweeper.dev/v1',
      kind: 'SweepPolicy',
      imageSwap: noopImages.HasNone,
      lastResort: [{ imageSwap: { ...noopImages.HasAll, commands: ['/opt/own'] } }],
    }),
  );
  if (read.kind !== 'Policy') expect.fail(JSON.stringify(read.problems));
  const policy = resolvePolicy({ namespaces: [namespace], lastResort: [] }, read.policy);
  const report = await simulation.run(cluster.sweep(namespace, policy, () => undefined));
  expect(sidecarOutcome(report, 'a')).toEqual({ kind: 'Stopped', exitCode: 0 });
});

it('each sidecar is swapped for the image that is meant for it', async () => {
  const namespace = 'two-images';
  const { emulator, simulation } = cluster;
  const { manifest, states } = stuckPod({
    name: 'a',
    namespace,
    grace: 2,
    annotations: {
      'sidecar-sweeper.dev/sidecars': 'sidecar,other',
      [BEHAVIOUR_ANNOTATION]: JSON.stringify({ sidecar: sidecars.immune, other: sidecars.immune }),
    },
  });
  const [main, sidecar] = manifest.spec.containers;
  if (!main || !sidecar || !states.sidecar) expect.fail('the pod has a main and a sidecar');
  const containers = [
    main,
    { ...sidecar, command: [sleep] },
    { name: 'other', image: 'docker.io/local/busybox:1', command: ['/opt/own'] },
  ];
  const owner = { apiVersion: 'acme.example/v1', kind: 'Run', name: 'a', uid: 'a', controller: true };
  const metadata = { ...manifest.metadata, ownerReferences: [owner] };
  emulator.world.placePods([
    {
      manifest: { ...manifest, metadata, spec: { ...manifest.spec, containers } },
      states: { ...states, other: states.sidecar },
    },
  ]);
  const read = readPolicy(
    JSON.stringify({
      apiVersion: 'sidecar-sweeper.dev/v1',
      kind: 'SweepPolicy',
      profiles: [
        {
          name: 'known',
          containers: ['sidecar'],
          images: ['busybox'],
          steps: [{ imageSwap: noopImages.SaysSome }],
        },
      ],
      lastResort: [{ imageSwap: { ...noopImages.HasAll, commands: ['/opt/own'] } }],
    }),
  );
  if (read.kind !== 'Policy') expect.fail(JSON.stringify(read.problems));
  const policy = resolvePolicy({ namespaces: [namespace], lastResort: [] }, read.policy);
  const report = await simulation.run(cluster.sweep(namespace, policy, () => undefined));
  const outcomes = report.pods.flatMap((pod) =>
    pod.containers.flatMap((one) => (one.role === 'Sidecar' ? one.outcome : [])),
  );
  expect(outcomes).toEqual(Array(2).fill({ kind: 'Stopped', exitCode: 0 }));
});

it('two sidecars of a pod are swapped with one patch', async () => {
  const { emulator, simulation } = cluster;
  const behaviours = { sidecar: sidecars.immune, other: sidecars.immune };
  const { manifest, states } = stuckPod({
    name: 'a',
    namespace: 'two',
    grace: 2,
    annotations: {
      'sidecar-sweeper.dev/sidecars': 'sidecar,other',
      [BEHAVIOUR_ANNOTATION]: JSON.stringify(behaviours),
    },
  });
  const containers = [...manifest.spec.containers, { name: 'other', image: 'docker.io/local/busybox:1' }];
  const { sidecar } = states;
  emulator.world.placePods([
    {
      manifest: { ...manifest, spec: { ...manifest.spec, containers } },
      states: { ...states, ...(sidecar && { other: sidecar }) },
    },
  ]);
  const policy = resolvePolicy({}, fileOf({ namespaces: ['two'], imageSwap }));
  const report = await simulation.run(cluster.sweep('two', policy, () => undefined));
  const outcomes = report.pods.flatMap((pod) =>
    pod.containers.flatMap((one) => (one.role === 'Sidecar' ? one.outcome : [])),
  );
  expect(outcomes).toEqual(Array(2).fill({ kind: 'Stopped', exitCode: 0 }));
  const patches = emulator.requests.filter(({ namespace, verb }) => namespace === 'two' && verb === 'patch');
  // The first asks the API server whether it would admit the swap.
  expect(patches.map(({ path }) => path.includes('dryRun=All'))).toEqual([true, false]);
});
