import { beforeAll, describe, expect, it } from 'vitest';
import { messageOf, stage } from '../../cluster/emulator/server/stage.ts';
import { type Container, ensureObject, type Pod } from '../../kit/emulator/index.ts';
import { describeUnless } from '../../kit/needs.ts';
import { nameOf, permissionsIn } from './permissions.ts';
import { cannotRender, type Manifest, render } from './render.ts';

const account = { namespace: 'sidecar-sweeper', name: 'sidecar-sweeper' };
const noop = 'registry.example.com/sidecar-sweeper-noop:0.1.0';
const pods = '/api/v1/namespaces/demo/pods';
const json = { 'content-type': 'application/json-patch+json' };
const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
const merge = { 'content-type': 'application/merge-patch+json' };

type Other = readonly [method: string, path: string, body: object | undefined];

const named = (name: string): Container => ({ name, image: `acme/${name}:1` });
const over = { kind: 'terminated', exitCode: 0, finishedAt: new Date('2026-11-21T04:00:00Z') } as const;

describeUnless(cannotRender, 'the account of the overlay swap', () => {
  const cluster = stage();
  let token = '';
  let objects: readonly Manifest[] = [];

  beforeAll(async () => {
    objects = await render('overlays/swap');
    for (const object of objects) ensureObject(cluster.emulator.world, object);
    token = cluster.emulator.serviceAccount(account);
  });

  let placed = 0;
  /** A pod whose main container has ended while two sidecars are running. */
  function place(changed: NonNullable<Parameters<typeof cluster.place>[1]> = {}): string {
    const name = `pod-${++placed}`;
    cluster.place(name, {
      containers: [named('main'), named('proxy'), named('logs')],
      initContainers: [named('init')],
      terminationGracePeriodSeconds: 20,
      states: { main: over },
      labels: { app: 'report' },
      ...changed,
    });
    return name;
  }
  const stored = (name: string) => cluster.emulator.world.store.get<Pod>('pods', 'demo', name);
  const imagesOf = (name: string) => stored(name)?.spec.containers.map(({ image }) => image);
  const patch = (name: string, headers: Record<string, string>, body: unknown, query = '') =>
    cluster.ask('PATCH', `${pods}/${name}${query}`, { headers, body, token });
  const swapOf = (index: number, value = noop) => ({
    op: 'replace',
    path: `/spec/containers/${index}/image`,
    value,
  });

  it('has these permissions and no others', () => {
    expect(permissionsIn(objects).map(nameOf).sort()).toEqual([
      'create events.events.k8s.io',
      'create leases.coordination.k8s.io',
      'get jobs.batch',
      'get leases.coordination.k8s.io',
      'get namespaces',
      'get nodes',
      'get pods',
      'list jobs.batch',
      'list namespaces',
      'list nodes',
      'list pods',
      'patch pods',
      'update leases.coordination.k8s.io',
    ]);
  });

  describe('may', () => {
    it('set the no-op image in one container or in several, dry or not', async () => {
      for (const indexes of [[1], [1, 2]]) {
        const name = place();
        const body = [
          { op: 'test', path: '/metadata/uid', value: stored(name)?.metadata.uid },
          ...indexes.map((index) => swapOf(index)),
        ];
        expect(await patch(name, json, body, '?dryRun=All')).toMatchObject({ status: 200 });
        expect(imagesOf(name)).not.toContain(noop);
        expect(await patch(name, json, body)).toMatchObject({ status: 200 });
        expect(imagesOf(name)?.flatMap((image, index) => (image === noop ? index : []))).toEqual(indexes);
      }
    });

    it('do so under OnFailure, one container after the other, and in pods without labels', async () => {
      const name = place({ restartPolicy: 'OnFailure', labels: {} });
      for (const index of [1, 2])
        expect(await patch(name, json, [swapOf(index)])).toMatchObject({ status: 200 });
    });

    it.each<readonly [path: string]>([['/api/v1/pods'], [pods], ['/api/v1/nodes/node1']])(
      'read %s',
      async (path) => {
        expect(await cluster.ask('GET', path, { token })).toMatchObject({ status: 200 });
      },
    );

    it('write events and its Lease', async () => {
      const body = {
        metadata: { generateName: 'pod-' },
        regarding: { kind: 'Pod', namespace: 'demo', name: 'x' },
        ...{ reason: 'R', action: 'A', type: 'Normal', note: 'hello' },
        ...{ reportingController: 'a/b', reportingInstance: 'x', eventTime: '2026-11-21T04:00:00.000000Z' },
      };
      const events = '/apis/events.k8s.io/v1/namespaces/demo/events';
      expect(await cluster.ask('POST', events, { body, token })).toMatchObject({ status: 201 });
      const leases = '/apis/coordination.k8s.io/v1/namespaces/sidecar-sweeper/leases';
      const lease = { metadata: { name: 'sidecar-sweeper' }, spec: { leaseDurationSeconds: 60 } };
      expect(await cluster.ask('POST', leases, { body: lease, token })).toMatchObject({ status: 201 });
    });
  });

  describe('may not change a pod', () => {
    const toleration = { key: 'a', operator: 'Exists', effect: 'NoExecute' };
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u' };
    // biome-ignore format: one row a line
    it.each<readonly [what: string, headers: Record<string, string>, body: unknown, message: RegExp]>([
      ['to another image', json, [swapOf(1, 'evil:1')], /images to the no-op image/],
      ['to the image of its other container', json, [swapOf(1, 'acme/logs:1')], /images to the no-op image/],
      ['to an image with the no-op’s as a prefix', json, [swapOf(1, `${noop}-evil`)], /images to the no-op image/],
      ['to the no-op image and another', json, [swapOf(1), swapOf(2, 'evil:1')], /images to the no-op image/],
      ['by ending the container that is over', json, [swapOf(0)], /of which another container has terminated/],
      [
        'in its init containers',
        json,
        [{ op: 'replace', path: '/spec/initContainers/0/image', value: noop }],
        /may not change init containers/,
      ],
      ['in its deadline', merge, { spec: { activeDeadlineSeconds: 5 } }, /may not change deadlines/],
      ['in its tolerations', json, [{ op: 'add', path: '/spec/tolerations/-', value: toleration }], /grace periods or tolerations/],
      ['in its labels', merge, { metadata: { labels: { app: 'other' } } }, /may not change metadata/],
      ['by removing its labels', merge, { metadata: { labels: null } }, /may not change metadata/],
      ['in its annotations', merge, { metadata: { annotations: { a: 'b' } } }, /may not change metadata/],
      ['in its finalizers', merge, { metadata: { finalizers: ['a/b'] } }, /may not change metadata/],
      ['in its owners', merge, { metadata: { ownerReferences: [owner] } }, /may not change metadata/],
      [
        'in its labels together with a swap',
        strategic,
        { metadata: { labels: { app: 'other' } }, spec: { containers: [{ name: 'proxy', image: noop }] } },
        /may not change metadata/,
      ],
      ['in its command', strategic, { spec: { containers: [{ name: 'proxy', command: ['x'] }] } }, /may not change/],
      ['by adding a container', strategic, { spec: { containers: [{ name: 'e', image: noop }] } }, /add or remove/],
    ])('%s', async (_what, headers, body, message) => {
      const name = place({ tolerations: [{ key: 'b', operator: 'Exists' }] });
      const before = stored(name);
      for (const query of ['?dryRun=All', '']) {
        const answer = await patch(name, headers, body, query);
        expect(answer.status).toBe(422);
        expect(messageOf(answer)).toMatch(message);
      }
      expect(stored(name)).toBe(before);
    });

    // biome-ignore format: one row a line
    it.each<readonly [which: string, pod: Parameters<typeof place>[0], message: RegExp]>([
      ['of a Deployment', { restartPolicy: 'Always' }, /restartPolicy is Always/],
      ['of which nothing has terminated', { states: {} }, /another container has terminated/],
      ['whose containers are waiting', { states: { main: { kind: 'waiting' } } }, /another container has terminated/],
      ['with a negative grace period', { terminationGracePeriodSeconds: -1 }, /may not change deadlines, grace periods/],
    ])('%s', async (_which, pod, message) => {
      const name = place(pod);
      const grace = { op: 'replace', path: '/spec/terminationGracePeriodSeconds', value: 1 };
      const isNegative = pod?.terminationGracePeriodSeconds === -1;
      const answer = await patch(name, json, isNegative ? [swapOf(1), grace] : [swapOf(1)]);
      expect(answer.status).toBe(422);
      expect(messageOf(answer)).toMatch(message);
    });

    it('that does not have its status yet', async () => {
      const name = place();
      cluster.emulator.world.store.update<Pod>('pods', 'demo', name, (pod) => ({
        ...pod,
        status: { phase: 'Pending' },
      }));
      expect(messageOf(await patch(name, json, [swapOf(1)]))).toMatch(/another container has terminated/);
    });
  });

  /** What RBAC does not grant, and, where it is about pods, what the policy refuses even if RBAC grants it. */
  const others: readonly Other[] = [
    ['GET', '/exec?command=ls&stdout=true', undefined],
    ['POST', '/exec?command=ls&stdout=true', undefined],
    ['GET', '/portforward?ports=80', undefined],
    ['POST', '/portforward?ports=80', undefined],
    ['DELETE', '', undefined],
    ['PUT', '', undefined],
    ['POST', '/eviction', { metadata: { name: 'victim' } }],
    ['PATCH', '/ephemeralcontainers', { spec: { ephemeralContainers: [{ name: 'e', image: 'evil:1' }] } }],
    ['PATCH', '/status', { status: { phase: 'Failed' } }],
    [
      'PATCH',
      '/resize',
      { spec: { containers: [{ name: 'proxy', resources: { requests: { cpu: '2' } } }] } },
    ],
  ];
  const ask = (method: string, path: string, body: object | undefined) =>
    cluster.ask(method, path, {
      token,
      ...(method === 'PATCH' ? { headers: strategic } : {}),
      ...(body ? { body } : {}),
    });

  describe('is not granted', () => {
    it.each<Other>(others)('%s of a pod%s', async (method, part, body) => {
      if (!stored('victim')) cluster.place('victim', { states: { main: over } });
      const answer = await ask(method, `${pods}/victim${part}`, method === 'PUT' ? stored('victim') : body);
      expect(answer.status).toBe(403);
      expect(messageOf(answer)).toContain('cannot ');
    });

    // biome-ignore format: one row a line
    it.each<Other>([
      ['POST', pods, { metadata: { name: 'new' }, spec: { containers: [named('main')] } }],
      ['DELETE', pods, undefined],
      ['GET', `${pods}/victim/log`, undefined],
      ['GET', '/api/v1/secrets', undefined],
      ['GET', '/api/v1/namespaces/sidecar-sweeper/configmaps', undefined],
      ['PATCH', '/apis/batch/v1/namespaces/demo/jobs/j', { spec: { backoffLimit: 9 } }],
      ['DELETE', '/apis/batch/v1/namespaces/demo/jobs/j', undefined],
      ['PATCH', '/api/v1/nodes/node1', { spec: { unschedulable: true } }],
      ['GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/x', undefined],
      ['DELETE', '/apis/coordination.k8s.io/v1/namespaces/sidecar-sweeper/leases/sidecar-sweeper', undefined],
      ['POST', '/api/v1/namespaces/sidecar-sweeper/serviceaccounts/sidecar-sweeper/token', {}],
      ['DELETE', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/sidecar-sweeper-swap', undefined],
      ['DELETE', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/sidecar-sweeper-swap', undefined],
    ])('%s %s', async (method, path, body) => {
      expect(await ask(method, path, body)).toMatchObject({ status: 403 });
    });
  });

  describe('is refused by the policy even if another role grants it', () => {
    beforeAll(() => {
      const rules = [{ apiGroups: [''], resources: ['*'], verbs: ['*'] }];
      const { world } = cluster.emulator;
      const rbac = 'rbac.authorization.k8s.io';
      const metadata = { name: 'too-much' };
      ensureObject(world, { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata, rules });
      ensureObject(world, {
        apiVersion: `${rbac}/v1`,
        kind: 'ClusterRoleBinding',
        metadata,
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'too-much' },
        subjects: [{ kind: 'ServiceAccount', ...account }],
      });
    });

    it.each<Other>(others.filter(([method]) => method !== 'PUT'))(
      '%s of a pod%s',
      async (method, part, body) => {
        if (!stored('victim')) cluster.place('victim', { states: { main: over } });
        const answer = await ask(method, `${pods}/victim${part}`, body);
        expect(answer.status).toBe(422);
        expect(messageOf(answer)).toContain('denied request: the sweeper may only change images of pods');
        expect(stored('victim')?.metadata.deletionTimestamp).toBeUndefined();
      },
    );

    it('a binding by its old path', async () => {
      const body = { metadata: { name: place() }, target: { kind: 'Node', name: 'node1' } };
      const answer = await ask('POST', '/api/v1/namespaces/demo/bindings', body);
      expect(answer.status).toBe(422);
      expect(messageOf(answer)).toContain('may only change images of pods');
    });

    it('a new pod', async () => {
      const body = { metadata: { name: 'new' }, spec: { containers: [{ ...named('main'), image: noop }] } };
      expect(messageOf(await ask('POST', pods, body))).toContain('may only change images of pods');
    });

    it('and other accounts are not affected', async () => {
      const name = place();
      const options = { headers: json, body: [swapOf(1, 'any:1')] };
      expect(await cluster.ask('PATCH', `${pods}/${name}`, options)).toMatchObject({ status: 200 });
    });
  });
});
