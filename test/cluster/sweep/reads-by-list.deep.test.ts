import { afterEach, expect, it } from 'vitest';
import type { Placement, RequestRecord, ServiceAccountOptions } from '../../kit/emulator/index.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const namespaces = ['etl', 'mail', 'web'];
const perNamespace = 100;
const nodes = 20;

let cluster: TestCluster;
afterEach(() => cluster.stop());

/** A stuck pod of a Job of its own. */
function ofJob(namespace: string, number: number): Placement {
  const name = `work-${number}`;
  const { manifest, states } = stuckPod({ name: `${name}-pod`, namespace });
  const owner = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    name,
    uid: cluster.emulator.world.store.get('jobs', namespace, name)?.metadata.uid ?? '',
    controller: true,
  };
  return {
    manifest: {
      ...manifest,
      metadata: { ...manifest.metadata, ownerReferences: [owner] },
      spec: { ...manifest.spec, nodeName: `node-${number % nodes}` },
    },
    states,
  };
}

/** 300 stuck pods, of as many Jobs in three namespaces, on twenty nodes. */
async function startMany(): Promise<void> {
  cluster = await TestCluster.start();
  const { store } = cluster.emulator.world;
  const conditions = [{ type: 'Ready', status: 'True' }];
  for (let number = 0; number < nodes; number++) {
    const metadata = { name: `node-${number}` };
    store.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata, status: { conditions } });
  }
  for (const namespace of namespaces) {
    for (let number = 0; number < perNamespace; number++) {
      const metadata = { name: `work-${number}`, namespace };
      const spec = {
        parallelism: 1,
        completions: 1,
        backoffLimit: 3,
        template: { spec: { containers: [] } },
      };
      store.create('jobs', { apiVersion: 'batch/v1', kind: 'Job', metadata, spec, status: {} });
    }
  }
  cluster.emulator.world.placePods(
    namespaces.flatMap((namespace) =>
      Array.from({ length: perNamespace }, (_, number) => ofJob(namespace, number)),
    ),
  );
}

async function dryRunAs(verbs: readonly string[]) {
  const reads = { apiGroups: ['', 'batch'], resources: ['jobs', 'nodes'], verbs: [...verbs] };
  const rules: NonNullable<ServiceAccountOptions['rules']> = [
    { apiGroups: [''], resources: ['pods', 'namespaces'], verbs: ['get', 'list'] },
    { apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] },
    reads,
  ];
  const token = cluster.emulator.serviceAccount({
    namespace: 'default',
    name: 'sweeper',
    rules,
    scope: 'Cluster',
  });
  const swept = await cluster.sweep(['--dry-run', '--no-lock'], { user: { name: 'sweeper', token } });
  const asked = (one: Partial<RequestRecord>) =>
    cluster.emulator.requests.filter(
      (request) => request.resource === one.resource && request.verb === one.verb,
    ).length;
  return { ...swept, asked };
}

it('300 Jobs in three namespaces, and twenty nodes, take four requests', async () => {
  await startMany();
  const { run, report, asked } = await dryRunAs(['get', 'list']);
  expect(report.totals.candidates).toBe(300);
  expect(report.warnings).toEqual([]);
  expect(report.pods[0]?.uncleanCost).toEqual({ kind: 'AnotherRun' });
  expect([asked({ resource: 'jobs', verb: 'list' }), asked({ resource: 'jobs', verb: 'get' })]).toEqual([
    3, 0,
  ]);
  expect([asked({ resource: 'nodes', verb: 'list' }), asked({ resource: 'nodes', verb: 'get' })]).toEqual([
    1, 0,
  ]);
  expect(run.exitCode).toBe(0);
});

it('without the permission to list them, each is read once, and nothing else is different', async () => {
  await startMany();
  const { run, report, asked } = await dryRunAs(['get']);
  expect(report.totals.candidates).toBe(300);
  expect(report.warnings).toEqual([]);
  expect(report.pods[0]?.uncleanCost).toEqual({ kind: 'AnotherRun' });
  expect([asked({ resource: 'jobs', verb: 'list' }), asked({ resource: 'jobs', verb: 'get' })]).toEqual([
    3, 300,
  ]);
  expect([asked({ resource: 'nodes', verb: 'list' }), asked({ resource: 'nodes', verb: 'get' })]).toEqual([
    1,
    nodes,
  ]);
  expect(run.stderr).not.toMatch(/forbidden/i);
  expect(run.exitCode).toBe(0);
});
