import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Container, ensureObject, type Pod } from '../../emulator/index.ts';
import { messageOf, stage } from '../emulator/server/stage.ts';
import { folder } from './render.ts';

const cluster = stage();
const pods = '/api/v1/namespaces/demo/pods';
const noop = 'registry.example.com/sidecar-sweeper-noop:0.1.0';
const containers: Container[] = [
  { name: 'main', image: 'acme/report:3' },
  { name: 'sidecar', image: 'acme/log-shipper:2' },
];

let sweeper = '';
beforeAll(() => {
  for (const policy of ['kill-commands', 'sweeper']) {
    const file = readFileSync(`${folder('policies')}/${policy}.yaml`, 'utf8');
    for (const document of parseAllDocuments(file)) ensureObject(cluster.emulator.world, document.toJS());
  }
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['patch', 'update'] }];
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

describe('the policy of the sweeper’s account', () => {
  const guarded = () =>
    place(
      { labels: { app: 'report' }, annotations: { team: 'data' } },
      { initContainers: [{ name: 'wait', image: 'acme/wait:1' }], activeDeadlineSeconds: 3600 },
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
});

describe('the policy of kill commands', () => {
  const rule = (resource: string, verb: string) => ({
    apiGroups: [''],
    resources: [resource],
    verbs: [verb],
  });
  const mayWrite = [rule('pods', 'create'), rule('pods', 'update')];
  let mayExec = '';
  let mayNot = '';
  beforeAll(() => {
    const account = (name: string, rules: (typeof mayWrite)[number][]) =>
      cluster.emulator.serviceAccount({ namespace: 'demo', name, rules });
    mayExec = account('may-exec', [...mayWrite, rule('pods/exec', 'create')]);
    mayNot = account('may-not-exec', mayWrite);
  });

  const annotate = (pod: Pod, annotations: Record<string, string>): Pod => ({
    ...pod,
    metadata: { ...pod.metadata, annotations },
  });
  const create = (token: string, metadata: object) => {
    const body = { metadata: { name: `new-${++placed}`, ...metadata }, spec: { containers } };
    return cluster.ask('POST', pods, { body, token });
  };
  const keys = [
    'workflows.argoproj.io/kill-cmd-sidecar',
    'sidecar-sweeper.dev/kill-cmd-sidecar',
    'sidecar-sweeper.dev/steps-sidecar',
  ];

  describe.each(keys)('%s', (key) => {
    it.each<readonly [string, (token: string) => ReturnType<typeof put>]>([
      ['on a new pod', (token) => create(token, { annotations: { [key]: '["a"]' } })],
      ['on a pod without annotations', (token) => put(annotate(place({}), { [key]: '["a"]' }), token)],
      [
        'when changed',
        (token) => put(annotate(place({ annotations: { [key]: '["a"]' } }), { [key]: '["b"]' }), token),
      ],
    ])('%s, requires permission to exec', async (_when, write) => {
      expect((await write(mayExec)).status).toBeLessThan(300);
      const refused = await write(mayNot);
      expect(refused.status).toBe(422);
      expect(messageOf(refused)).toMatch(/only users who may exec/);
    });

    it('does not prevent other changes if it already exists', async () => {
      const pod = place({ annotations: { [key]: '["a"]', team: 'data' } });
      const changed = annotate(pod, { [key]: '["a"]', team: 'ops' });
      expect(await put(changed, mayNot)).toMatchObject({ status: 200 });
    });

    it('is admitted on a new pod that has an owner', async () => {
      const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u' }];
      const metadata = { annotations: { [key]: '["a"]' }, ownerReferences };
      expect(await create(mayNot, metadata)).toMatchObject({ status: 201 });
    });
  });

  it('ignores other annotations', async () => {
    expect(await create(mayNot, { annotations: { 'sidecar-sweeper.dev/skip': 'true' } })).toMatchObject({
      status: 201,
    });
    expect(await create(mayNot, {})).toMatchObject({ status: 201 });
  });
});
