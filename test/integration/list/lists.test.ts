import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FaultAction } from '../../kit/emulator/index.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const perNamespace = 600;
let cluster: TestCluster;

beforeAll(async () => {
  const pods = ['a', 'b'].flatMap((namespace) =>
    Array.from({ length: perNamespace }, (_, index) =>
      stuckPod({ namespace, name: `pod-${index}`, labels: { half: String(index % 2) } }),
    ),
  );
  cluster = await TestCluster.start(pods);
});
afterEach(() => cluster.emulator.faults.clear());
afterAll(() => cluster.stop());

const list = { verb: 'list', resource: 'pods' };

describe('the list of pods', () => {
  it('is read at once across all namespaces', async () => {
    const before = cluster.emulator.requests.length;
    const { report } = await cluster.sweep(['--dry-run', '--max-pods', '10000']);
    expect(report.totals.listed).toBe(2 * perNamespace);
    const lists = cluster.emulator.requests.slice(before).filter(({ verb }) => verb === 'list');
    const paths = lists.map(({ path }) => path);
    expect(paths.length).toBe(1);
    expect(paths.every((path) => path.includes('spec.restartPolicy'))).toBe(true);
  });

  it('honours the namespaces and labels', async () => {
    const { report } = await cluster.sweep(['--dry-run', '-n', 'b', '-l', 'half=1']);
    expect(report.totals.listed).toBe(perNamespace / 2);
    expect(new Set(report.pods.map(({ namespace }) => namespace))).toEqual(new Set(['b']));
    expect(report.scope).toMatchObject({ namespaces: ['b'], labelSelector: 'half=1' });
  });

  const expired = { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, metadata: {} };
  const isExpired: FaultAction = { kind: 'Answer', status: 410, body: expired };
  it('continues with the new token if one expires, and warns', async () => {
    const { store } = cluster.emulator.world;
    const compact = () => {
      store.create('configmaps', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'later', namespace: 'a' },
      });
      store.compact();
    };
    const expire: FaultAction = { kind: 'Before', run: compact };
    // Only then does it come in pages, of which the second finds its token expired.
    cluster.emulator.faults.add(list, isExpired, { times: 1 });
    cluster.emulator.faults.add(list, expire, { skip: 2, times: 1 });
    const { run, report } = await cluster.sweep(['--dry-run', '--max-pods', '10000']);
    expect(report.warnings).toEqual([{ kind: 'ListInconsistent' }]);
    expect(report.totals.listed).toBe(2 * perNamespace);
    expect(new Set(report.pods.map(({ uid }) => uid)).size).toBe(2 * perNamespace);
    expect(run.exitCode).toBe(0);
  });

  it('starts over if an expired token has no replacement, and counts nothing twice', async () => {
    cluster.emulator.faults.add(list, isExpired, { times: 1 });
    cluster.emulator.faults.add(list, isExpired, { skip: 2, times: 1 });
    const { report } = await cluster.sweep(['--dry-run', '--max-pods', '10000']);
    expect(report.warnings).toEqual([{ kind: 'ListInconsistent' }]);
    expect(report.totals.listed).toBe(2 * perNamespace);
  });

  it('is given up if it keeps expiring', async () => {
    cluster.emulator.faults.add(list, isExpired);
    const { run } = await cluster.sweep(['--dry-run', '--max-pods', '10000']);
    expect(run.exitCode).toBe(3);
  });
});

describe('an answer that is not a list of pods in protobuf is an error, never "0 pods":', () => {
  it.each<readonly [title: string, body: string | object]>([
    ['HTML', '<html><body>Sign in</body></html>'],
    ['a Status with HTTP 200', { kind: 'Status', status: 'Failure', message: 'no', code: 500 }],
    ['a list in JSON', '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}'],
  ])('%s', async (_what, body) => {
    cluster.emulator.faults.add(list, { kind: 'Answer', status: 200, body });
    const { run, report } = await cluster.sweep(['--dry-run', '--max-pods', '10000']);
    expect(run.exitCode).toBe(3);
    expect(report.unread).toMatchObject([{ problem: 'Malformed' }]);
  });

  it('a malformed item is reported, and the other pods are swept', async () => {
    const [pod] = cluster.emulator.world.store.list('pods');
    const items = [{}, { metadata: { name: 'x' } }, pod];
    const body = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items };
    cluster.emulator.faults.add(list, { kind: 'Answer', status: 200, body });
    const { report } = await cluster.sweep(['--dry-run', '--max-pods', '10000']);
    expect(report.totals).toMatchObject({ listed: 3, candidates: 1, undecided: 2 });
    expect(report.undecided.map(({ name }) => name)).toEqual(['', 'x']);
  });
});
