import { expect, it } from 'vitest';
import type { Pod, PodReview, PodWebhook } from '../../../kit/emulator/index.ts';
import { container, messageOf, stage } from './stage.ts';

const seen: PodReview[] = [];

/** Sets images of docker.io to a mirror, and refuses those of one registry. */
const review: PodWebhook['review'] = (asked) => {
  seen.push(asked);
  const { pod } = asked;
  const images = pod.spec.containers.map(({ image }) => image);
  if (images.some((image) => image.startsWith('evil.example/'))) {
    return { kind: 'Refuse', message: 'this registry is not trusted' };
  }
  if (!images.some((image) => image.startsWith('docker.io/'))) return { kind: 'Allow' };
  const containers = pod.spec.containers.map((each) => ({
    ...each,
    image: each.image.replace('docker.io/', 'mirror.example/'),
  }));
  return { kind: 'Rewrite', pod: { ...pod, spec: { ...pod.spec, containers } } };
};

const cluster = stage({ webhook: { name: 'mirror.example.com', review } });
const pods = '/api/v1/namespaces/demo/pods';
const json = { headers: { 'content-type': 'application/json-patch+json' } };
const swap = (value: string) => [{ op: 'replace', path: '/spec/containers/1/image', value }];
const stored = (name: string) => cluster.emulator.world.store.get<Pod>('pods', 'demo', name);
const imagesOf = (pod: unknown) => (pod as Pod).spec.containers.map(({ image }) => image);

it('rewrites what a patch sets, dry or not', async () => {
  cluster.place('swapped');
  const path = `${pods}/swapped`;
  const rewritten = ['mirror.example/local/busybox:1', 'mirror.example/nop:1'];
  const dry = await cluster.ask('PATCH', `${path}?dryRun=All`, { ...json, body: swap('docker.io/nop:1') });
  expect(imagesOf(dry.body)).toEqual(rewritten);
  expect(seen.at(-1)).toMatchObject({ operation: 'UPDATE', dryRun: true, username: 'kubernetes-admin' });
  expect(imagesOf(seen.at(-1)?.oldPod)).not.toContain('docker.io/nop:1');
  expect(imagesOf(stored('swapped'))).not.toEqual(rewritten);
  const { body } = await cluster.ask('PATCH', path, { ...json, body: swap('docker.io/nop:1') });
  expect(imagesOf(body)).toEqual(rewritten);
  expect(imagesOf(stored('swapped'))).toEqual(rewritten);
});

it('rewrites a new pod', async () => {
  const body = { metadata: { name: 'made' }, spec: { containers: [container('main')] } };
  expect(await cluster.ask('POST', pods, { body })).toMatchObject({ status: 201 });
  expect(imagesOf(stored('made'))).toEqual(['mirror.example/local/busybox:1']);
});

it('refuses', async () => {
  cluster.place('refused');
  const answer = await cluster.ask('PATCH', `${pods}/refused`, { ...json, body: swap('evil.example/x:1') });
  expect(answer.status).toBe(403);
  expect(messageOf(answer)).toBe(
    'admission webhook "mirror.example.com" denied the request: this registry is not trusted',
  );
});

it('is not asked about other kinds, and other parts of a pod', async () => {
  cluster.place('status');
  const before = seen.length;
  const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
  await cluster.ask('PATCH', `${pods}/status/status`, { ...merge, body: { status: { reason: 'x' } } });
  const body = { metadata: { name: 'c' } };
  await cluster.ask('POST', '/api/v1/namespaces/demo/configmaps', { body });
  expect(seen).toHaveLength(before);
});
