import { beforeAll, describe, expect, it } from 'vitest';
import { messageOf, stage } from '../../cluster/emulator/server/stage.ts';
import { ensureObject, type Pod } from '../../kit/emulator/index.ts';
import { describeUnless } from '../../kit/needs.ts';
import { nameOf, permissionsIn } from './permissions.ts';
import { cannotRender, type Manifest, render } from './render.ts';

const pods = '/api/v1/namespaces/demo/pods';
const strategic = { 'content-type': 'application/strategic-merge-patch+json' };

type Request = readonly [method: string, path: string, body?: object];

/** What it may do to pods is in account-policies.test.ts. */
describeUnless(cannotRender, 'the account of the overlay swap', () => {
  const cluster = stage();
  let token = '';
  let objects: readonly Manifest[] = [];

  beforeAll(async () => {
    objects = await render('overlays/swap');
    for (const object of objects) ensureObject(cluster.emulator.world, object);
    token = cluster.emulator.serviceAccount({ namespace: 'sidecar-sweeper', name: 'sidecar-sweeper' });
    cluster.place('victim');
  });

  it('has these permissions and no others', () => {
    expect(permissionsIn(objects).map(nameOf).sort()).toEqual([
      ...['create events.events.k8s.io', 'create leases.coordination.k8s.io', 'get jobs.batch'],
      ...['get leases.coordination.k8s.io', 'get namespaces', 'get nodes', 'get pods', 'list jobs.batch'],
      ...['list namespaces', 'list nodes', 'list pods', 'patch pods', 'update leases.coordination.k8s.io'],
    ]);
  });

  it.each([['/api/v1/pods'], [pods], ['/api/v1/nodes/node1']])('may read %s', async (path) => {
    expect(await cluster.ask('GET', path, { token })).toMatchObject({ status: 200 });
  });

  it('may write events and its Lease', async () => {
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

  const admission = '/apis/admissionregistration.k8s.io/v1';

  describe('is not granted', () => {
    const requests: readonly Request[] = [
      ['GET', `${pods}/victim/exec?command=ls&stdout=true`],
      ['POST', `${pods}/victim/exec?command=ls&stdout=true`],
      ['GET', `${pods}/victim/portforward?ports=80`],
      ['POST', `${pods}/victim/portforward?ports=80`],
      ['DELETE', `${pods}/victim`],
      ['PUT', `${pods}/victim`],
      ['POST', `${pods}/victim/eviction`, { metadata: { name: 'victim' } }],
      ['PATCH', `${pods}/victim/ephemeralcontainers`, { spec: { ephemeralContainers: [] } }],
      ['PATCH', `${pods}/victim/status`, { status: { phase: 'Failed' } }],
      ['PATCH', `${pods}/victim/resize`, { spec: { containers: [] } }],
      ['GET', `${pods}/victim/log`],
      ['POST', pods, { metadata: { name: 'new' }, spec: { containers: [] } }],
      ['DELETE', pods],
      ['GET', '/api/v1/secrets'],
      ['GET', '/api/v1/namespaces/sidecar-sweeper/configmaps'],
      ['PATCH', '/apis/batch/v1/namespaces/demo/jobs/j', { spec: { backoffLimit: 9 } }],
      ['DELETE', '/apis/batch/v1/namespaces/demo/jobs/j'],
      ['PATCH', '/api/v1/nodes/node1', { spec: { unschedulable: true } }],
      ['GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/x'],
      ['DELETE', '/apis/coordination.k8s.io/v1/namespaces/sidecar-sweeper/leases/sidecar-sweeper'],
      ['POST', '/api/v1/namespaces/sidecar-sweeper/serviceaccounts/sidecar-sweeper/token', {}],
      ['DELETE', `${admission}/validatingadmissionpolicies/sidecar-sweeper-swap`],
      ['DELETE', `${admission}/validatingadmissionpolicybindings/sidecar-sweeper-swap`],
    ];

    it.each(requests.map(([method, path, body]) => [method, path, body] as const))(
      '%s %s',
      async (method, path, given) => {
        const victim = () => cluster.emulator.world.store.get<Pod>('pods', 'demo', 'victim');
        const body = method === 'PUT' ? victim() : given;
        const headers = method === 'PATCH' ? { headers: strategic } : {};
        const answer = await cluster.ask(method, path, { token, ...headers, ...(body && { body }) });
        expect(answer.status).toBe(403);
        expect(messageOf(answer)).toContain('cannot ');
      },
    );
  });
});
