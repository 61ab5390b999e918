import { beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, messageOf, stage } from '../../cluster/emulator/server/stage.ts';
import { ensureObject, type Pod } from '../../kit/emulator/index.ts';
import { describeUnless } from '../../kit/needs.ts';
import { container } from '../../kit/stuck-pods.ts';
import { cannotRender, find, type Manifest, render } from './render.ts';

const pods = '/api/v1/namespaces/demo/pods';
const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u' };
const keys = [
  'workflows.argoproj.io/kill-cmd-sidecar',
  'sidecar-sweeper.dev/kill-cmd-sidecar',
  'sidecar-sweeper.dev/steps-sidecar',
];

describeUnless(cannotRender, 'the policy of kill commands', () => {
  const cluster = stage();
  const tokens = new Map<string, string>();
  let objects: readonly Manifest[] = [];
  beforeAll(async () => {
    objects = await render('policies');
    for (const object of objects) ensureObject(cluster.emulator.world, object);
    const rule = (resource: string, verb: string) => ({
      apiGroups: [''],
      resources: [resource],
      verbs: [verb],
    });
    const mayWrite = [
      ...['pods', 'pods/binding', 'bindings'].map((resource) => rule(resource, 'create')),
      ...['pods', 'pods/status'].map((resource) => rule(resource, 'update')),
      ...['pods/status', 'pods/resize'].map((resource) => rule(resource, 'patch')),
    ];
    const account = (namespace: string, name: string, rules: readonly object[]) =>
      tokens.set(
        name,
        cluster.emulator.serviceAccount({ namespace, name, rules: [...mayWrite, ...rules] as never }),
      );
    account('demo', 'may-exec', [rule('pods/exec', 'create')]);
    account('demo', 'may-not-exec', []);
    account('demo', 'job-controller', []);
    account('kube-system', 'coredns', []);
    account('tekton', 'granted', [
      { apiGroups: ['sidecar-sweeper.dev'], resources: ['killcommands'], verbs: ['set'] },
    ]);
  });
  const as = (name: string) => tokens.get(name) ?? '';

  let placed = 0;
  const place = (annotations: Record<string, string> = {}) =>
    cluster.place(`pod-${++placed}`, { annotations });
  const annotate = (pod: Pod, annotations: Record<string, string>): Pod => ({
    ...pod,
    metadata: { ...pod.metadata, annotations },
  });
  const put = (body: Pod, token: string) =>
    cluster.ask('PUT', `${pods}/${body.metadata.name}`, { body, token });
  const create = (token: string, metadata: object, spec: object = {}) => {
    const body = {
      metadata: { name: `new-${++placed}`, ...metadata },
      spec: { containers: [container('main')], ...spec },
    };
    return cluster.ask('POST', pods, { body, token });
  };
  const patch = ({ metadata }: Pod, part: 'status' | 'resize', token: string, annotations: object) => {
    const body = { metadata: { annotations } };
    return cluster.ask('PATCH', `${pods}/${metadata.name}/${part}`, { as: 'merge', body, token });
  };
  const bind = async (
    token: string,
    annotations: object,
    path = (name: string) => `pods/${name}/binding`,
  ) => {
    const name = `unbound-${++placed}`;
    await create(as('may-not-exec'), { name }, { schedulerName: 'own' });
    const body = { metadata: { name, annotations }, target: { kind: 'Node', name: 'node1' } };
    return cluster.ask('POST', `/api/v1/namespaces/demo/${path(name)}`, { body, token });
  };

  describe.each(keys)('%s', (key) => {
    const set = { [key]: '["a"]' };
    type Write = (token: string) => ReturnType<typeof put>;
    it.each<readonly [string, Write]>([
      ['on a new pod', (token) => create(token, { annotations: set })],
      [
        'on a new pod with an owner that its creator has made up',
        (token) => create(token, { annotations: set, ownerReferences: [owner] }),
      ],
      ['on a pod without annotations', (token) => put(annotate(place(), set), token)],
      ['when changed', (token) => put(annotate(place({ [key]: '["b"]' }), set), token)],
      ['by way of pods/status', (token) => patch(place(), 'status', token, set)],
      ['by way of pods/binding', (token) => bind(token, set)],
      ['by way of bindings', (token) => bind(token, set, () => 'bindings')],
    ])('%s, requires permission to exec', async (_when, write) => {
      expect((await write(as('may-exec'))).status).toBeLessThan(300);
      expect((await write(as('granted'))).status).toBeLessThan(300);
      expectRefused(await write(as('may-not-exec')), /only users who may exec/);
    });

    it('does not prevent other changes if it already exists', async () => {
      const pod = place({ [key]: '["a"]', team: 'data' });
      expect(await put(annotate(pod, { ...set, team: 'ops' }), as('may-not-exec'))).toMatchObject({
        status: 200,
      });
      expect(await patch(place(set), 'status', as('may-not-exec'), { team: 'ops' })).toMatchObject({
        status: 200,
      });
      for (const path of [undefined, () => 'bindings']) {
        expect(await bind(as('may-not-exec'), { team: 'ops' }, path)).toMatchObject({ status: 201 });
      }
    });

    it('does not come along with pods/resize, which any account may have', async () => {
      const answer = await patch(place(), 'resize', as('may-not-exec'), set);
      expect(answer).toMatchObject({ status: 200 });
      expect(Object(answer.body).metadata.annotations ?? {}).not.toHaveProperty([key]);
    });
  });

  it('admits the pods that Kubernetes’ own controllers make of templates', async () => {
    const binding = find(objects, 'ClusterRoleBinding') as Manifest & {
      readonly subjects: readonly { readonly kind: string; readonly name: string }[];
    };
    const accounts = binding.subjects.filter(({ kind }) => kind === 'ServiceAccount');
    expect(accounts.map(({ name }) => name)).toContain('job-controller');
    for (const { name } of accounts) {
      const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['create'] }];
      const token = cluster.emulator.serviceAccount({ namespace: 'kube-system', name, rules });
      const metadata = { annotations: { [keys[0] ?? '']: '["a"]' }, ownerReferences: [owner] };
      expect(await create(token, metadata), name).toMatchObject({ status: 201 });
    }
  });

  it.each(['coredns', 'job-controller'])('does not take %s for one of them', async (name) => {
    const metadata = { annotations: { [keys[0] ?? '']: '["a"]' }, ownerReferences: [owner] };
    expect(messageOf(await create(as(name), metadata))).toMatch(/only users who may exec/);
  });

  it('ignores other annotations', async () => {
    const metadata = { annotations: { 'sidecar-sweeper.dev/skip': 'true' } };
    expect(await create(as('may-not-exec'), metadata)).toMatchObject({ status: 201 });
    expect(await create(as('may-not-exec'), {})).toMatchObject({ status: 201 });
  });
});
