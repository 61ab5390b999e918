import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureNamespace, type RequestRecord } from '../../kit/emulator/index.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';
import { stutter } from '../../kit/stutter.ts';

const sweepers = ['first', 'second'] as const;
type Sweeper = (typeof sweepers)[number];

let cluster: TestCluster;
let tokens: Readonly<Record<Sweeper, string>>;
beforeAll(async () => {
  cluster = await TestCluster.start();
  const { emulator } = cluster;
  ensureNamespace(emulator.world, 'sweepers');
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  const tokenOf = (name: Sweeper) => emulator.serviceAccount({ namespace: 'sweepers', name, rules });
  tokens = { first: tokenOf('first'), second: tokenOf('second') };
});
afterAll(() => cluster.stop());

/** Sweeps a namespace of its own, again until nobody else is sweeping; few at a time, so that it takes a few seconds. */
async function sweep(sweeper: Sweeper, namespace: string): Promise<number | null> {
  const argv = ['-n', namespace, '--lock', 'sweepers', '--events', '--concurrency', '2', '-o', 'json'];
  for (;;) {
    const run = await cluster.run(argv, { user: { name: sweeper, token: tokens[sweeper] } });
    if (!run.stderr.includes('LockOccupied')) return run.exitCode;
  }
}

function placePods(namespace: string): void {
  ensureNamespace(cluster.emulator.world, namespace);
  const sidecar = { on: { SIGTERM: { exitCode: 0, after: 300 } } };
  const names = Array.from({ length: 12 }, (_, index) => `stuck-${index}`);
  cluster.emulator.world.placePods(names.map((name) => stuckPod({ namespace, name, sidecar })));
}

/** Whether a request changes anything but the Lease. */
function acts({ verb, subresource, resource, status }: RequestRecord): boolean {
  if (resource === 'leases' || resource.startsWith('selfsubject')) return false;
  return status !== 0 && (subresource === 'exec' || !['get', 'list', 'watch'].includes(verb));
}

/** Who acted, in order; each as often as another one acted in between. */
function turns(requests: readonly RequestRecord[]): readonly (string | undefined)[] {
  const actors = requests
    .filter(acts)
    .flatMap(({ user }) => sweepers.filter((one) => user.endsWith(`:${one}`)));
  return actors.filter((actor, index) => actor !== actors[index - 1]);
}

describe('two sweeps side by side never both act', () => {
  it.each([1, 2])(
    'while one request of ten fails (seed %i)',
    async (seed) => {
      const { emulator } = cluster;
      const namespaces = sweepers.map((one) => `${one}-${seed}`);
      for (const namespace of namespaces) placePods(namespace);
      const before = emulator.requests.length;
      const failed = stutter(emulator, seed);
      const codes = await Promise.all(sweepers.map((one) => sweep(one, `${one}-${seed}`)));
      emulator.faults.clear();

      expect(failed()).toBeGreaterThan(0);
      expect(codes).toEqual([0, 0]);
      expect(turns(emulator.requests.slice(before)).toSorted()).toEqual(sweepers);
      const pods = namespaces.flatMap((namespace) => emulator.world.store.list('pods', namespace));
      for (const pod of pods) expect(pod['status']).toMatchObject({ phase: 'Succeeded' });
    },
    180_000,
  );
});
