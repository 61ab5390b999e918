import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../kit/emulator/index.ts';
import { container, messageOf, stage } from './stage.ts';

const cluster = stage();
const pods = '/api/v1/namespaces/demo/pods';
const headers = { 'content-type': 'application/merge-patch+json' };
const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u' };
const metadata = { annotations: { a: 'b' }, labels: { c: 'd' }, ownerReferences: [owner] };
const stored = (name: string) => cluster.emulator.world.store.get<Pod>('pods', 'demo', name);

describe('a pod’s annotations come along', () => {
  it('with its status, and so do labels, but not owners', async () => {
    cluster.place('reported', { labels: { app: 'x' } });
    const body = { metadata, status: { message: 'hello' } };
    const answer = await cluster.ask('PATCH', `${pods}/reported/status`, { headers, body });
    expect(answer).toMatchObject({ status: 200, body: { status: { message: 'hello' } } });
    expect(stored('reported')?.metadata).toMatchObject({
      annotations: { a: 'b' },
      labels: { app: 'x', c: 'd' },
    });
    expect(stored('reported')?.metadata.ownerReferences).toBeUndefined();
  });

  it('with its binding, but labels do not', async () => {
    const spec = { schedulerName: 'own', containers: [container('main')] };
    const created = { metadata: { name: 'unbound', annotations: { z: 'y' } }, spec };
    await cluster.ask('POST', pods, { body: created });
    const body = { metadata, target: { kind: 'Node', name: 'node1' } };
    expect(await cluster.ask('POST', `${pods}/unbound/binding`, { body })).toMatchObject({ status: 201 });
    expect(stored('unbound')?.metadata.annotations).toEqual({ a: 'b', z: 'y' });
    expect(stored('unbound')?.metadata.labels).toBeUndefined();
    expect(stored('unbound')?.spec.nodeName).toBe('node1');
    const again = await cluster.ask('POST', `${pods}/unbound/binding`, { body });
    expect(messageOf(again)).toContain('already assigned to node "node1"');
  });

  it('with a binding by the old path, which names the pod', async () => {
    const spec = { schedulerName: 'own', containers: [container('main')] };
    await cluster.ask('POST', pods, { body: { metadata: { name: 'old' }, spec } });
    const body = { metadata: { ...metadata, name: 'old' }, target: { kind: 'Node', name: 'node1' } };
    const bindings = '/api/v1/namespaces/demo/bindings';
    expect(await cluster.ask('POST', bindings, { body })).toMatchObject({ status: 201 });
    expect(stored('old')).toMatchObject({
      metadata: { annotations: { a: 'b' } },
      spec: { nodeName: 'node1' },
    });
    const gone = { ...body, metadata: { name: 'gone' } };
    expect(await cluster.ask('POST', bindings, { body: gone })).toMatchObject({ status: 404 });
    expect(await cluster.ask('GET', bindings)).toMatchObject({ status: 405 });
  });

  it.each(['ephemeralcontainers', 'resize'])('not with its %s', async (part) => {
    cluster.place(`with-${part}`);
    const body = { metadata: { annotations: { a: 'b' } } };
    const answer = await cluster.ask('PATCH', `${pods}/with-${part}/${part}`, { headers, body });
    expect(answer.status).toBe(200);
    expect(stored(`with-${part}`)?.metadata.annotations).toBeUndefined();
  });

  it('a resize takes the resources of containers, and not their images', async () => {
    cluster.place('small');
    const [before] = stored('small')?.spec.containers ?? [];
    const resources = { requests: { cpu: '2' } };
    const body = { spec: { containers: [{ name: before?.name, image: 'evil:1', resources }] } };
    const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
    const options = { headers: strategic, body };
    expect(await cluster.ask('PATCH', `${pods}/small/resize`, options)).toMatchObject({ status: 200 });
    expect(stored('small')?.spec.containers[0]).toEqual({ ...before, resources });
  });
});

describe('a pod with scheduling gates', () => {
  const gated = { schedulingGates: [{ name: 'acme.example/quota' }], nodeSelector: { disk: 'ssd' } };
  const patch = (name: string, spec: object) =>
    cluster.ask('PATCH', `${pods}/${name}`, { headers, body: { spec } });

  it('may lose them and run on fewer nodes', async () => {
    cluster.place('gated', gated);
    expect(await patch('gated', { nodeSelector: { zone: 'a' } })).toMatchObject({ status: 200 });
    expect(await patch('gated', { schedulingGates: [] })).toMatchObject({ status: 200 });
  });

  it.each([
    ['get more', { schedulingGates: [...gated.schedulingGates, { name: 'acme.example/more' }] }],
    ['run on other nodes', { nodeSelector: { disk: 'hdd' } }],
  ])('may not %s', async (_what, spec) => {
    const name = `gated-${Object.keys(spec)[0]?.toLowerCase()}`;
    cluster.place(name, gated);
    expect(await patch(name, spec)).toMatchObject({ status: 422 });
  });

  it('may not run on fewer nodes once they are gone', async () => {
    cluster.place('free');
    expect(await patch('free', { nodeSelector: { zone: 'a' } })).toMatchObject({ status: 422 });
  });
});
