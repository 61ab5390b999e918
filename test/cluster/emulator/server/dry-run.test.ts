import { beforeEach, expect, it } from 'vitest';
import type { KubeObject, Pod } from '../../../kit/emulator/index.ts';
import { container, messageOf, stage } from './stage.ts';

const cluster = stage();
const pods = '/api/v1/namespaces/demo/pods';
const patchType = { headers: { 'content-type': 'application/json-patch+json' } };
const image = 'docker.io/local/nop:1';
const swap = [{ op: 'replace', path: '/spec/containers/1/image', value: image }];
const manifest = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [container('main')] },
});

const stored = () => cluster.emulator.world.store.get<Pod>('pods', 'demo', 'kept');

/** A request of which nothing is stored: not its object, and nothing else. */
async function ask(method: string, path: string, body?: unknown) {
  const version = cluster.emulator.world.store.resourceVersion;
  const more = method === 'PATCH' ? patchType : {};
  const answer = await cluster.ask(method, path, { ...more, ...(body === undefined ? {} : { body }) });
  expect(cluster.emulator.world.store.resourceVersion).toBe(version);
  return answer;
}

beforeEach(() => {
  if (stored()) return;
  cluster.place('kept', { labels: { app: 'guarded' } });
  cluster.emulator.world.store.create('poddisruptionbudgets', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'budget', namespace: 'demo', generation: 1 },
    spec: { selector: { matchLabels: { app: 'guarded' } } },
    status: { observedGeneration: 1, disruptionsAllowed: 1 },
  });
});

it('a creation is answered with defaults, a uid and a time', async () => {
  const { status, body } = await ask('POST', `${pods}?dryRun=All`, manifest('dry'));
  expect(status).toBe(201);
  expect(body).toMatchObject({
    metadata: { name: 'dry', uid: expect.any(String), creationTimestamp: expect.any(String) },
    spec: { terminationGracePeriodSeconds: 30 },
  });
  expect((body as KubeObject).metadata).not.toHaveProperty('resourceVersion');
});

it('a patch and an update are answered with the changed object', async () => {
  const patched = await ask('PATCH', `${pods}/kept?dryRun=All`, swap);
  const { spec, metadata } = patched.body as Pod;
  expect([patched.status, spec.containers[1]?.image]).toEqual([200, image]);
  expect(metadata.resourceVersion).toBe(stored()?.metadata.resourceVersion);
  const body = { ...stored(), metadata: { ...stored()?.metadata, labels: { a: 'b' } } };
  const updated = await ask('PUT', `${pods}/kept?dryRun=All`, body);
  expect(updated.body).toMatchObject({ metadata: { labels: { a: 'b' } } });
});

it.each([
  ['its query', '?dryRun=All', {}],
  ['its body', '', { dryRun: ['All'] }],
])(
  'with dryRun in %s, deletions mark pods, and an eviction spends no budget',
  async (_where, query, options) => {
    for (const path of [`${pods}/kept${query}`, `${pods}${query}`]) {
      const answer = await ask('DELETE', path, options);
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).toContain('"deletionGracePeriodSeconds":30');
    }
    const eviction = { metadata: { name: 'kept' }, deleteOptions: options };
    expect(await ask('POST', `${pods}/kept/eviction${query}`, eviction)).toMatchObject({ status: 201 });
  },
);

it.each([
  ['a creation', 'POST', pods, manifest('Bad_Name'), 422],
  ['a creation of what exists', 'POST', pods, manifest('kept'), 409],
  ['a patch', 'PATCH', `${pods}/kept`, [{ op: 'replace', path: '/spec/nodeName', value: 'x' }], 422],
  ['a failing test', 'PATCH', `${pods}/kept`, [{ op: 'test', path: '/metadata/uid', value: 'x' }], 422],
  ['a deletion', 'DELETE', `${pods}/kept`, { preconditions: { uid: 'x' } }, 409],
] as const)('%s is validated', async (_what, method, path, body, status) => {
  expect(await ask(method, `${path}?dryRun=All`, body)).toMatchObject({ status });
});

it('anything but All is refused', async () => {
  const answer = await ask('PATCH', `${pods}/kept?dryRun=true`, swap);
  expect(answer.status).toBe(422);
  expect(messageOf(answer)).toBe(
    'PatchOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: "true": supported values: "All"',
  );
});
