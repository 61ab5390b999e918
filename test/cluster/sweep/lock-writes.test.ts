import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  BEHAVIOUR_ANNOTATION,
  ensureNamespace,
  type Pod,
  type RequestRecord,
} from '../../kit/emulator/index.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await TestCluster.start([stuckPod()]);
  ensureNamespace(cluster.emulator.world, 'demo');
});
afterEach(() => cluster.stop());

/** A Job whose sidecar ends unclean, which the next sweep has to know. */
async function stuckJob(): Promise<void> {
  const { world } = cluster.emulator;
  const behaviours = { main: { ends: { exitCode: 0, after: 10 } }, sidecar: sidecars.unclean };
  const annotations = {
    [BEHAVIOUR_ANNOTATION]: JSON.stringify(behaviours),
    'sidecar-sweeper.dev/sidecars': 'sidecar',
  };
  const containers = ['main', 'sidecar'].map((name) => ({ name, image: 'busybox:1' }));
  const spec = { restartPolicy: 'Never' as const, terminationGracePeriodSeconds: 1, containers };
  world.createJob({
    metadata: { namespace: 'demo', name: 'job' },
    spec: { template: { metadata: { annotations }, spec } },
  });
  const hasEnded = ({ metadata, status }: Pod) =>
    metadata.name.startsWith('job-') && status.containerStatuses?.[0]?.state?.['terminated'] !== undefined;
  await expect
    .poll(() => world.store.list<Pod>('pods', 'demo').some(hasEnded), { timeout: 60_000 })
    .toBe(true);
}

function writes(): readonly RequestRecord[] {
  return cluster.emulator.requests.filter(({ verb }) => !['get', 'list', 'watch'].includes(verb));
}

it('a Lease that cannot be read for as long as it is tried is somebody else’s: exit code 3, and nothing is sent', async () => {
  cluster.emulator.faults.add({ resource: 'leases' }, { kind: 'Answer', status: 503, body: 'busy' });
  const { run, report } = await cluster.sweep(['-n', 'demo', '--lock', 'demo', '--events']);
  expect(run.exitCode).toBe(3);
  const message = expect.stringContaining('unknown whether another sweep is running');
  expect(report).toMatchObject({ unread: [{ message }], pods: [] });
  const logged = run.stderr.trim().split('\n');
  expect(logged.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ event: 'ReadFailed', level: 'error', message }),
  );
  expect(new Set(cluster.emulator.requests.map(({ resource }) => resource))).toEqual(new Set(['leases']));
}, 180_000);

it('the Lease is given back after the last write, be it an Event', async () => {
  await stuckJob();
  const argv = [
    '-n',
    'demo',
    '--lock',
    'demo',
    '--events',
    '--min-age',
    '0s',
    '--unclean-exit',
    'allow',
    '-o',
    'json',
  ];
  await cluster.run(argv);
  const written = writes().map(({ verb, resource, name }) => [verb, resource, name].join(' ').trim());
  expect(written).toContain('create events');
  expect(written.at(-1)).toBe('update leases sidecar-sweeper');
  const lease = cluster.emulator.world.store.get('leases', 'demo', 'sidecar-sweeper');
  expect(lease).toMatchObject({ spec: { holderIdentity: '' } });
}, 180_000);
