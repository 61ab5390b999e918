import { describe, expect, it } from 'vitest';
import { messageOf, stage } from './stage.ts';

const cluster = stage();
const pods = '/api/v1/namespaces/demo/pods';
const rule = (resources: string[], verbs: string[], more = {}) => ({
  apiGroups: [''],
  resources,
  verbs,
  ...more,
});

function account(name: string, rules: ReturnType<typeof rule>[], scope: 'Cluster' | 'Namespace' = 'Cluster') {
  return cluster.emulator.serviceAccount({ namespace: 'demo', name, rules, scope });
}

describe('authorisation', () => {
  it('applies ClusterRoles in every namespace, and Roles in their own', async () => {
    const everywhere = account('everywhere', [rule(['pods'], ['list'])]);
    const here = account('here', [rule(['pods'], ['list'])], 'Namespace');
    const status = async (path: string, token: string) => (await cluster.ask('GET', path, { token })).status;
    expect(await status('/api/v1/pods', everywhere)).toBe(200);
    expect(await status(pods, everywhere)).toBe(200);
    expect(await status(pods, here)).toBe(200);
    expect(await status('/api/v1/pods', here)).toBe(403);
    expect(await status('/api/v1/namespaces/default/pods', here)).toBe(403);
  });

  it('distinguishes verbs, subresources and names', async () => {
    cluster.place('named');
    cluster.place('other');
    const token = account('narrow', [
      rule(['pods'], ['get'], { resourceNames: ['named'] }),
      rule(['pods/status'], ['get']),
    ]);
    const status = async (method: string, path: string) =>
      (await cluster.ask(method, path, { token })).status;
    expect(await status('GET', `${pods}/named`)).toBe(200);
    expect(await status('GET', `${pods}/other`)).toBe(403);
    expect(await status('GET', `${pods}/other/status`)).toBe(200);
    expect(await status('DELETE', `${pods}/named`)).toBe(403);
  });

  it('applies roles and bindings that are created later', async () => {
    const token = cluster.emulator.serviceAccount({ namespace: 'demo', name: 'late' });
    const refused = await cluster.ask('GET', pods, { token });
    expect(messageOf(refused)).toBe(
      'pods is forbidden: User "system:serviceaccount:demo:late" cannot list resource "pods" in API group "" in the namespace "demo"',
    );
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/demo';
    await cluster.ask('POST', `${rbac}/roles`, {
      body: { metadata: { name: 'late' }, rules: [rule(['pods'], ['list'])] },
    });
    await cluster.ask('POST', `${rbac}/rolebindings`, {
      body: {
        metadata: { name: 'late' },
        subjects: [{ kind: 'ServiceAccount', name: 'late' }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'late' },
      },
    });
    expect((await cluster.ask('GET', pods, { token })).status).toBe(200);
  });
});

describe('the record of requests', () => {
  it('has the user, the request, the status and every verb that was checked', async () => {
    const token = account('recorded', [rule(['pods'], ['list'])]);
    const before = cluster.emulator.requests.length;
    await cluster.ask('GET', `${pods}?limit=1`, { token });
    await cluster.ask('GET', `${pods}/nosuch/exec`, { token });
    expect(cluster.emulator.requests.slice(before)).toMatchObject([
      {
        user: 'system:serviceaccount:demo:recorded',
        verb: 'list',
        verbs: ['list'],
        resource: 'pods',
        subresource: '',
        namespace: 'demo',
        name: '',
        path: `${pods}?limit=1`,
        status: 200,
      },
      { verb: 'get', verbs: ['get', 'create'], subresource: 'exec', name: 'nosuch', status: 403 },
    ]);
  });
});
