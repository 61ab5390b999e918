import { beforeEach, expect, it } from 'vitest';
import type { KubeObject, Pod } from '../../../kit/emulator/index.ts';
import { container, messageOf, stage } from './stage.ts';

const cluster = stage();
const pods = '/api/v1/namespaces/demo/pods';
const json = { headers: { 'content-type': 'application/json-patch+json' } };
const swap = { op: 'replace', path: '/spec/containers/1/image', value: 'docker.io/local/nop:1' };

const stored = (name: string) => cluster.emulator.world.store.get<Pod>('pods', 'demo', name);
const manifest = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [container('main')] },
});

let version = 0;
beforeEach(() => {
  if (!stored('kept')) cluster.place('kept', { labels: { app: 'guarded' } });
  version = cluster.emulator.world.store.resourceVersion;
});

/** A dry run writes nothing: not the object, and nothing else. */
function expectNothingStored(): void {
  expect(cluster.emulator.world.store.resourceVersion).toBe(version);
}

it('a creation is answered with defaults, a uid and a time, and not stored', async () => {
  const { status, body } = await cluster.ask('POST', `${pods}?dryRun=All`, { body: manifest('dry') });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    metadata: { name: 'dry', uid: expect.any(String), creationTimestamp: expect.any(String) },
    spec: { terminationGracePeriodSeconds: 30 },
  });
  expect((body as KubeObject).metadata).not.toHaveProperty('resourceVersion');
  expectNothingStored();
});

it('a patch is answered with the changed object, and not stored', async () => {
  const answer = await cluster.ask('PATCH', `${pods}/kept?dryRun=All`, { ...json, body: [swap] });
  expect(answer.status).toBe(200);
  const { spec, metadata } = answer.body as Pod;
  expect(spec.containers[1]?.image).toBe(swap.value);
  expect(metadata.resourceVersion).toBe(stored('kept')?.metadata.resourceVersion);
  expectNothingStored();
});

it('an update is answered with the changed object, and not stored', async () => {
  const body = { ...stored('kept'), metadata: { ...stored('kept')?.metadata, labels: { a: 'b' } } };
  const answer = await cluster.ask('PUT', `${pods}/kept?dryRun=All`, { body });
  expect(answer.body).toMatchObject({ metadata: { labels: { a: 'b' } } });
  expectNothingStored();
});

it.each<readonly [where: string, query: string, body: object | undefined]>([
  ['its query', '?dryRun=All', undefined],
  ['its body', '', { dryRun: ['All'] }],
])(
  'a deletion with dryRun in %s is answered with a marked pod, and not stored',
  async (_where, query, body) => {
    for (const path of [`${pods}/kept${query}`, `${pods}${query}`]) {
      const answer = await cluster.ask('DELETE', path, body ? { body } : {});
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).toContain('"deletionGracePeriodSeconds":30');
    }
    expectNothingStored();
  },
);

it.each<readonly [where: string, query: string, deleteOptions: object]>([
  ['its query', '?dryRun=All', {}],
  ['its body', '', { dryRun: ['All'] }],
])(
  'an eviction with dryRun in %s asks the budget and does not spend it',
  async (_where, query, deleteOptions) => {
    const { store } = cluster.emulator.world;
    if (!store.get('poddisruptionbudgets', 'demo', 'budget')) {
      store.create('poddisruptionbudgets', {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'budget', namespace: 'demo', generation: 1 },
        spec: { selector: { matchLabels: { app: 'guarded' } } },
        status: { observedGeneration: 1, disruptionsAllowed: 1 },
      });
    }
    version = store.resourceVersion;
    const evict = () =>
      cluster.ask('POST', `${pods}/kept/eviction${query}`, {
        body: { metadata: { name: 'kept' }, deleteOptions },
      });
    expect(await evict()).toMatchObject({ status: 201 });
    expectNothingStored();
  },
);

it.each<readonly [what: string, method: string, path: string, body: unknown, status: number]>([
  ['a creation', 'POST', pods, manifest('Bad_Name'), 422],
  ['a creation of what exists', 'POST', pods, manifest('kept'), 409],
  ['a patch', 'PATCH', `${pods}/kept`, [{ op: 'replace', path: '/spec/nodeName', value: 'x' }], 422],
  [
    'a patch whose test fails',
    'PATCH',
    `${pods}/kept`,
    [{ op: 'test', path: '/metadata/uid', value: 'x' }],
    422,
  ],
  ['a deletion', 'DELETE', `${pods}/kept`, { preconditions: { uid: 'x' } }, 409],
])('%s is validated', async (_what, method, path, body, status) => {
  const headers = method === 'PATCH' ? json : {};
  expect(await cluster.ask(method, `${path}?dryRun=All`, { ...headers, body })).toMatchObject({ status });
  expectNothingStored();
});

it('anything but All is refused', async () => {
  const answer = await cluster.ask('PATCH', `${pods}/kept?dryRun=true`, { ...json, body: [swap] });
  expect(answer.status).toBe(422);
  expect(messageOf(answer)).toBe(
    'PatchOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: "true": supported values: "All"',
  );
  expectNothingStored();
});
