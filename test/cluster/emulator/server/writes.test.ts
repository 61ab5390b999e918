import { describe, expect, it } from 'vitest';
import type { KubeObject, Pod } from '../../../kit/emulator/index.ts';
import { container, messageOf, stage } from './stage.ts';

const cluster = stage();
const pods = '/api/v1/namespaces/demo/pods';
const json = { headers: { 'content-type': 'application/json-patch+json' } };
const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
const strategic = { headers: { 'content-type': 'application/strategic-merge-patch+json' } };

const manifest = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [container('main')] },
});

const stored = (name: string, resource = 'pods') =>
  cluster.emulator.world.store.get<Pod>(resource, 'demo', name);

describe('create', () => {
  it('defaults a pod, sets name, uid and version, and answers 201', async () => {
    const { status, body } = await cluster.ask('POST', pods, { body: manifest('created') });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'Pod',
      metadata: { name: 'created', namespace: 'demo', generation: 1, uid: expect.any(String) },
      spec: { restartPolicy: 'Always', terminationGracePeriodSeconds: 30 },
      status: { phase: 'Pending' },
    });
  });

  it.each([
    ['a duplicate name', manifest('created'), 409, 'pods "created" already exists'],
    [
      'another namespace',
      { ...manifest('x'), metadata: { name: 'x', namespace: 'y' } },
      400,
      'does not match',
    ],
    ['another kind', { ...manifest('x'), kind: 'Job' }, 400, 'cannot be handled as a Pod'],
    ['a missing name', { ...manifest('x'), metadata: {} }, 422, 'name or generateName is required'],
    ['no containers', { ...manifest('x'), spec: {} }, 422, 'spec.containers: Required value'],
  ])('refuses %s', async (_what, body, status, message) => {
    const answer = await cluster.ask('POST', pods, { body });
    expect(answer.status).toBe(status);
    expect(messageOf(answer)).toContain(message);
  });

  it('refuses objects in a missing namespace', async () => {
    const answer = await cluster.ask('POST', '/api/v1/namespaces/nosuch/pods', { body: manifest('x') });
    expect(answer.status).toBe(404);
    expect(messageOf(answer)).toBe('namespaces "nosuch" not found');
  });

  it('refuses unknown fields with strict validation, and otherwise drops them with a warning', async () => {
    const body = { ...manifest('odd'), spec: { ...manifest('odd').spec, colour: 'red' } };
    const strict = await cluster.ask('POST', `${pods}?fieldValidation=Strict`, { body });
    expect(messageOf(strict)).toBe(
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.colour"',
    );
    const warned = await cluster.ask('POST', pods, { body });
    expect(warned.headers?.['warning']).toBe('299 - "unknown field \\"spec.colour\\""');
    expect(stored('odd')?.spec).not.toHaveProperty('colour');
  });
});

describe('patch', () => {
  it('applies a JSON patch whose test holds, and increments the generation', async () => {
    const { metadata } = cluster.place('swapped');
    const { status } = await cluster.ask('PATCH', `${pods}/swapped`, {
      ...json,
      body: [
        { op: 'test', path: '/metadata/uid', value: metadata.uid },
        { op: 'replace', path: '/spec/containers/1/image', value: 'docker.io/local/nop:1' },
      ],
    });
    expect(status).toBe(200);
    expect(stored('swapped')?.spec.containers[1]?.image).toBe('docker.io/local/nop:1');
    expect(stored('swapped')?.metadata.generation).toBe(2);
  });

  it('applies a merge patch to labels, and does not write an unchanged object', async () => {
    cluster.place('labelled', { labels: { a: '1', b: '2' } });
    const body = { metadata: { labels: { a: null, c: '3' } } };
    await cluster.ask('PATCH', `${pods}/labelled`, { ...merge, body });
    const { labels, resourceVersion } = stored('labelled')?.metadata ?? {};
    expect(labels).toEqual({ b: '2', c: '3' });
    await cluster.ask('PATCH', `${pods}/labelled`, { ...merge, body: { metadata: { labels: { c: '3' } } } });
    expect(stored('labelled')?.metadata.resourceVersion).toBe(resourceVersion);
  });

  it('applies a strategic merge patch to containers by name', async () => {
    cluster.place('merged');
    const body = { spec: { containers: [{ name: 'sidecar', image: 'docker.io/local/nop:1' }] } };
    await cluster.ask('PATCH', `${pods}/merged`, { ...strategic, body });
    const images = stored('merged')?.spec.containers.map(({ name, image }) => [name, image]);
    expect(images).toEqual([
      ['main', 'docker.io/local/busybox:1'],
      ['sidecar', 'docker.io/local/nop:1'],
    ]);
  });

  it('ignores status in a patch of the pod, and the spec in a patch of its status', async () => {
    cluster.place('split');
    const body = { metadata: { labels: { a: 'b' } }, status: { phase: 'Failed' } };
    await cluster.ask('PATCH', `${pods}/split`, { ...merge, body });
    expect(stored('split')).toMatchObject({ metadata: { labels: { a: 'b' } }, status: { phase: 'Running' } });
    const other = { spec: { activeDeadlineSeconds: 5 }, status: { phase: 'Failed' } };
    await cluster.ask('PATCH', `${pods}/split/status`, { ...merge, body: other });
    expect(stored('split')).toMatchObject({ metadata: { labels: { a: 'b' } }, status: { phase: 'Failed' } });
    expect(stored('split')?.spec.activeDeadlineSeconds).toBeUndefined();
  });

  it('is a conflict with an old resourceVersion', async () => {
    cluster.place('raced');
    const body = { metadata: { resourceVersion: '1', labels: { a: 'b' } } };
    const answer = await cluster.ask('PATCH', `${pods}/raced`, { ...merge, body });
    expect(answer.status).toBe(409);
    expect(messageOf(answer)).toContain(
      'the object has been modified; please apply your changes to the latest',
    );
  });

  it.each([
    [
      'it adds a container',
      { spec: { containers: [container('more')] } },
      'may not add or remove containers',
    ],
    ['it changes the restart policy', { spec: { restartPolicy: 'OnFailure' } }, '- "RestartPolicy": "Never"'],
  ])('is refused if %s', async (_what, body, message) => {
    if (!stored('fixed')) cluster.place('fixed');
    const answer = await cluster.ask('PATCH', `${pods}/fixed`, { ...strategic, body });
    expect(answer.status).toBe(422);
    expect(messageOf(answer)).toContain(message);
  });

  it('is 415 for an unknown content type', async () => {
    cluster.place('formless');
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    expect((await cluster.ask('PATCH', `${pods}/formless`, { headers, body: {} })).status).toBe(415);
  });
});

describe('ephemeral containers', () => {
  it('are added with defaults, and cannot be changed afterwards', async () => {
    cluster.place('debugged');
    const path = `${pods}/debugged/ephemeralcontainers`;
    const add = (image: string) => ({
      ...strategic,
      body: { spec: { ephemeralContainers: [{ name: 'e', image, targetContainerName: 'main' }] } },
    });
    expect((await cluster.ask('PATCH', path, add('a:1'))).status).toBe(200);
    expect(stored('debugged')?.spec.ephemeralContainers).toMatchObject([
      { name: 'e', image: 'a:1', terminationMessagePolicy: 'File' },
    ]);
    const changed = await cluster.ask('PATCH', path, add('b:1'));
    expect(changed.status).toBe(422);
    expect(messageOf(changed)).toContain('existing ephemeral container "e" may not be changed');
  });
});

describe('delete', () => {
  const remove = (name: string, body?: object) =>
    cluster.ask('DELETE', `${pods}/${name}`, body ? { body } : {});

  it('marks a running pod, which then gets its grace period', async () => {
    cluster.place('graceful', { terminationGracePeriodSeconds: 600 });
    const { status, body } = await remove('graceful');
    expect(status).toBe(200);
    expect((body as KubeObject).metadata).toMatchObject({ deletionGracePeriodSeconds: 600 });
    expect(stored('graceful')?.metadata.deletionTimestamp).toBeDefined();
  });

  it('without a grace period removes it at once', async () => {
    cluster.place('forced');
    await remove('forced', { gracePeriodSeconds: 0 });
    expect(stored('forced')).toBeUndefined();
    expect((await remove('forced')).status).toBe(404);
  });

  it('waits until the last finalizer is removed', async () => {
    cluster.place('held');
    const hold = { metadata: { finalizers: ['example.com/hold'] } };
    await cluster.ask('PATCH', `${pods}/held`, { ...merge, body: hold });
    await remove('held', { gracePeriodSeconds: 0 });
    expect(stored('held')?.metadata.deletionTimestamp).toBeDefined();
    await cluster.ask('PATCH', `${pods}/held`, { ...merge, body: { metadata: { finalizers: null } } });
    expect(stored('held')).toBeUndefined();
  });

  it('of a collection deletes the selected objects', async () => {
    for (const name of ['one', 'two', 'three'])
      cluster.place(name, { labels: { gone: String(name !== 'two') } });
    await cluster.ask('DELETE', `${pods}?labelSelector=gone=true&gracePeriodSeconds=0`);
    expect(['one', 'two', 'three'].filter((name) => stored(name))).toEqual(['two']);
  });
});

describe('eviction', () => {
  it('is granted if the budget allows a disruption, which it counts', async () => {
    const { store } = cluster.emulator.world;
    store.create('poddisruptionbudgets', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'budget', namespace: 'demo', generation: 1 },
      spec: { selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['guarded'] }] } },
      status: { observedGeneration: 1, disruptionsAllowed: 1, desiredHealthy: 1, currentHealthy: 2 },
    });
    const evict = (name: string) =>
      cluster.ask('POST', `${pods}/${name}/eviction`, { body: { metadata: { name } } });
    for (const name of ['first', 'second']) cluster.place(name, { labels: { app: 'guarded' } });
    expect((await evict('first')).status).toBe(201);
    const refused = await evict('second');
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      details: {
        causes: [{ message: 'The disruption budget budget needs 1 healthy pods and has 2 currently' }],
      },
    });
    expect(stored('second')?.metadata.deletionTimestamp).toBeUndefined();
  });
});

describe('events', () => {
  it('are the same objects in both API groups', async () => {
    const { body } = await cluster.ask('POST', '/apis/events.k8s.io/v1/namespaces/demo/events', {
      body: {
        metadata: { generateName: 'e-' },
        regarding: { kind: 'Pod', namespace: 'demo', name: 'created' },
        reason: 'SidecarStopped',
        action: 'Stopping',
        type: 'Normal',
        note: 'hello',
        reportingController: 'example.com/x',
        reportingInstance: 'x',
        eventTime: '2026-11-21T04:00:00.000000Z',
      },
    });
    const { name } = (body as KubeObject).metadata;
    const selector = 'fieldSelector=involvedObject.name=created';
    const core = await cluster.ask('GET', `/api/v1/namespaces/demo/events?${selector}`);
    expect(core.body).toMatchObject({
      items: [
        {
          metadata: { name },
          involvedObject: { name: 'created' },
          message: 'hello',
          reportingComponent: 'example.com/x',
        },
      ],
    });
  });
});
