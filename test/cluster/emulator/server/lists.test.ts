import { beforeAll, describe, expect, it } from 'vitest';
import { messageOf, namesIn, stage } from './stage.ts';

const cluster = stage();
const pods = '/api/v1/namespaces/demo/pods';

beforeAll(() => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    cluster.place(name, {
      labels: { app: name, tier: name < 'c' ? 'front' : 'back' },
      restartPolicy: name === 'e' ? 'Always' : 'Never',
    });
  }
  cluster.place('f', { labels: { app: 'f' }, namespace: 'other' });
});

describe('selectors', () => {
  it.each([
    ['labelSelector=app=a', ['a']],
    ['labelSelector=app==a', ['a']],
    ['labelSelector=app!=a,tier', ['b', 'c', 'd', 'e']],
    ['labelSelector=app in (a, b)', ['a', 'b']],
    ['labelSelector=app notin (a,b),tier=back', ['c', 'd', 'e']],
    ['labelSelector=!tier', []],
    ['fieldSelector=metadata.name=b', ['b']],
    ['fieldSelector=spec.restartPolicy!=Always', ['a', 'b', 'c', 'd']],
    ['fieldSelector=status.phase=Running,spec.restartPolicy==Always', ['e']],
    ['fieldSelector=spec.nodeName=node1&labelSelector=tier=front', ['a', 'b']],
    ['fieldSelector=status.phase=Failed', []],
  ])('%s finds %j', async (query, names) => {
    const answer = await cluster.ask('GET', `${pods}?${encodeURI(query)}`);
    expect(answer.status).toBe(200);
    expect(namesIn(answer)).toEqual(names);
  });

  it.each(['app in a', 'a b', 'app=(x)'])('the invalid label selector %s is refused', async (selector) => {
    const answer = await cluster.ask('GET', `${pods}?labelSelector=${encodeURIComponent(selector)}`);
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain('unable to parse requirement');
  });

  it('all namespaces are listed in order of namespace and name', async () => {
    expect(namesIn(await cluster.ask('GET', '/api/v1/pods'))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});

interface List {
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
}

describe('pages', () => {
  it('show the state of the first page, even after changes', async () => {
    const { ask, emulator } = cluster;
    const first = await ask('GET', `${pods}?limit=2`);
    const { metadata } = first.body as List;
    cluster.place('bb');
    emulator.world.store.delete('pods', 'demo', 'd');
    const second = await ask('GET', `${pods}?limit=9&continue=${metadata.continue}`);
    expect(namesIn(second)).toEqual(['c', 'd', 'e']);
    expect((second.body as List).metadata).toEqual({ resourceVersion: metadata.resourceVersion });
    expect(namesIn(await ask('GET', pods))).toEqual(['a', 'b', 'bb', 'c', 'e']);
  });

  it('of a filtered list may end with an empty page, because the server does not look ahead', async () => {
    const { metadata } = (await cluster.ask('GET', '/api/v1/pods?limit=1&labelSelector=app=e')).body as List;
    const next = await cluster.ask(
      'GET',
      `/api/v1/pods?limit=1&labelSelector=app=e&continue=${metadata.continue}`,
    );
    expect(namesIn(next)).toEqual([]);
    expect((next.body as List).metadata.continue).toBeUndefined();
  });
});

describe('forms', () => {
  it('PartialObjectMetadataList has only metadata', async () => {
    const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
    const { body } = await cluster.ask('GET', `${pods}?limit=1`, { headers: { accept } });
    expect(body).toMatchObject({ kind: 'PartialObjectMetadataList', items: [{ metadata: { name: 'a' } }] });
    expect((body as { items: object[] }).items[0]).not.toHaveProperty('spec');
  });

  it('an unsupported form is 406', async () => {
    const headers = { accept: 'application/yaml' };
    expect((await cluster.ask('GET', pods, { headers })).status).toBe(406);
  });

  it('large lists are compressed for clients that accept gzip', async () => {
    for (let index = 0; index < 100; index++) cluster.place(`many-${index}`, { namespace: 'many' });
    const path = '/api/v1/namespaces/many/pods';
    const plain = await cluster.ask('GET', path);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const response = await cluster.ask('GET', path, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip' });
    expect(namesIn(response)).toEqual(namesIn(plain));
  });
});
