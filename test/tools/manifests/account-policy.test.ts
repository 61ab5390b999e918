import { beforeAll, expect, it } from 'vitest';
import { messageOf, stage } from '../../cluster/emulator/server/stage.ts';
import { type Container, ensureObject, type Pod } from '../../kit/emulator/index.ts';
import { describeUnless } from '../../kit/needs.ts';
import { cannotRender, renderFile, withSwaps } from './render.ts';

const pods = '/api/v1/namespaces/demo/pods';
const noop = 'registry.example.com/sidecar-sweeper-noop:0.1.0';
const containers: Container[] = [
  { name: 'main', image: 'acme/report:3' },
  { name: 'sidecar', image: 'acme/log-shipper:2' },
];

describeUnless(cannotRender, 'the policy of the sweeper’s account', () => {
  const cluster = stage();
  let sweeper = '';
  beforeAll(async () => {
    for (const object of await renderFile(withSwaps)) ensureObject(cluster.emulator.world, object);
    // More than a component grants: the policy holds whatever a role grants.
    const rules = [{ apiGroups: [''], resources: ['*'], verbs: ['*'] }];
    const account = { namespace: 'sidecar-sweeper', name: 'sidecar-sweeper' };
    sweeper = cluster.emulator.serviceAccount({ ...account, rules });
  });

  let placed = 0;
  /** Creates a pod without a request. */
  function place(metadata: object, spec: Partial<Pod['spec']> = {}): Pod {
    const name = `pod-${++placed}`;
    const manifest = {
      metadata: { ...metadata, name, namespace: 'demo' },
      spec: { restartPolicy: 'Never' as const, containers, ...spec },
    };
    const [pod] = cluster.emulator.world.placePods([{ manifest, states: {} }]);
    if (!pod) throw new Error(`${name} was not placed`);
    return pod;
  }

  const put = (pod: Pod, token?: string) =>
    cluster.ask('PUT', `${pods}/${pod.metadata.name}`, { body: pod, ...(token ? { token } : {}) });

  const guarded = () =>
    place(
      { labels: { app: 'report' }, annotations: { team: 'data' } },
      {
        initContainers: [{ name: 'wait', image: 'acme/wait:1' }],
        activeDeadlineSeconds: 3600,
        terminationGracePeriodSeconds: -1,
        schedulingGates: [{ name: 'acme.example/quota' }],
      },
    );
  type Change = (pod: Pod) => Pod;
  const images =
    (main: string, sidecar: string): Change =>
    (pod) => {
      const swapped = pod.spec.containers.map((each, index) => ({
        ...each,
        image: [main, sidecar][index] ?? '',
      }));
      return { ...pod, spec: { ...pod.spec, containers: swapped } };
    };
  const spec =
    (change: object): Change =>
    (pod) => ({ ...pod, spec: { ...pod.spec, ...change } });
  const metadata =
    (change: object): Change =>
    (pod) => ({ ...pod, metadata: { ...pod.metadata, ...change } });

  it.each<readonly [what: string, change: Change]>([
    ['the no-op image in one container', images('acme/report:3', noop)],
    ['the no-op image in all containers', images(noop, noop)],
    ['a lower deadline', spec({ activeDeadlineSeconds: 1 })],
  ])('allows %s', async (_what, change) => {
    expect(await put(change(guarded()), sweeper)).toMatchObject({ status: 200 });
  });

  it('allows the no-op image in a pod without labels', async () => {
    expect(await put(images('acme/report:3', noop)(place({})), sweeper)).toMatchObject({ status: 200 });
  });

  it('allows any change by another user', async () => {
    expect(await put(images('evil:1', 'evil:1')(guarded()))).toMatchObject({ status: 200 });
  });

  it.each<readonly [what: string, change: Change, message: RegExp]>([
    ['another image', images('acme/report:3', 'evil:1'), /only change images to the no-op image/],
    ['the image of its other container', images('acme/log-shipper:2', 'acme/log-shipper:2'), /no-op image/],
    ['another image together with the no-op image', images('evil:1', noop), /no-op image/],
    ['an image with the no-op image as a prefix', images('acme/report:3', `${noop}-evil`), /no-op image/],
    [
      'the image of an init container',
      (pod) =>
        spec({ initContainers: pod.spec.initContainers?.map((each) => ({ ...each, image: noop })) })(pod),
      /init containers/,
    ],
    ['no scheduling gates', spec({ schedulingGates: [] }), /where and when/],
    ['a node selector', spec({ nodeSelector: { zone: 'a' } }), /where and when/],
    ['the grace period', spec({ terminationGracePeriodSeconds: 1 }), /grace periods/],
    ['a toleration', spec({ tolerations: [{ operator: 'Exists' }] }), /tolerations/],
    ['a label', metadata({ labels: { app: 'other' } }), /not change metadata/],
    ['removed labels', metadata({ labels: {} }), /not change metadata/],
    ['removed annotations', metadata({ annotations: undefined }), /not change metadata/],
    ['a finalizer', metadata({ finalizers: ['x/y'] }), /not change metadata/],
    [
      'an owner',
      metadata({ ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u' }] }),
      /not change metadata/,
    ],
  ])('refuses %s', async (_what, change, message) => {
    const pod = guarded();
    // A real pod has the tolerations of the nodes' conditions, to which more may be added.
    const { tolerations = [] } = pod.spec as { tolerations?: object[] };
    const changed = change(pod);
    const more = (changed.spec['tolerations'] ?? []) as object[];
    const kept = {
      ...changed,
      spec: { ...changed.spec, tolerations: [...new Set([...tolerations, ...more])] },
    };
    const answer = await put(kept, sweeper);
    expect(answer.status).toBe(422);
    expect(messageOf(answer)).toMatch(message);
  });

  const resize = { spec: { containers: [{ name: 'sidecar', resources: { requests: { cpu: '2' } } }] } };
  it.each<readonly [method: string, part: string, body: object]>([
    ['PATCH', '/status', { metadata: { annotations: { a: 'b' } } }],
    ['PATCH', '/resize', resize],
    ['POST', '/binding', { metadata: { name: 'x' }, target: { kind: 'Node', name: 'node1' } }],
  ])('refuses %s of a pod’s %s', async (method, part, body) => {
    const headers = method === 'PATCH' ? { 'content-type': 'application/strategic-merge-patch+json' } : {};
    const path = `${pods}/${guarded().metadata.name}${part}`;
    const answer = await cluster.ask(method, path, { body, token: sweeper, headers });
    expect(answer.status).toBe(422);
    expect(messageOf(answer)).toMatch(/only change images and deadlines/);
  });

  it('refuses a binding by its old path', async () => {
    const body = { metadata: { name: guarded().metadata.name }, target: { kind: 'Node', name: 'node1' } };
    const answer = await cluster.ask('POST', '/api/v1/namespaces/demo/bindings', { body, token: sweeper });
    expect(answer.status).toBe(422);
    expect(messageOf(answer)).toMatch(/only change images and deadlines/);
  });

  it('allows another user to resize and to bind', async () => {
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };
    const { name } = guarded().metadata;
    const resized = await cluster.ask('PATCH', `${pods}/${name}/resize`, { headers, body: resize });
    expect(resized).toMatchObject({ status: 200 });
    const spec = { containers, schedulerName: 'own' };
    await cluster.ask('POST', pods, { body: { metadata: { name: 'unbound' }, spec } });
    const body = { metadata: { name: 'unbound' }, target: { kind: 'Node', name: 'node1' } };
    expect(await cluster.ask('POST', '/api/v1/namespaces/demo/bindings', { body })).toMatchObject({
      status: 201,
    });
  });

  it('refuses a new pod', async () => {
    const body = { metadata: { name: 'new' }, spec: { containers } };
    const answer = await cluster.ask('POST', pods, { body, token: sweeper });
    expect(messageOf(answer)).toMatch(/only change images and deadlines/);
  });

  it('leaves deletions and evictions to the components that grant them', async () => {
    const { name } = guarded().metadata;
    const body = { metadata: { name } };
    const options = { body, token: sweeper };
    expect(await cluster.ask('POST', `${pods}/${name}/eviction`, options)).toMatchObject({ status: 201 });
    const other = `${pods}/${guarded().metadata.name}`;
    expect(await cluster.ask('DELETE', other, { token: sweeper })).toMatchObject({ status: 200 });
  });
});
