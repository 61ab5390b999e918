import { expect, it } from 'vitest';
import { listNamespaces, readNamespace } from '../../../../src/kube/objects/namespaces.ts';

const { signal } = new AbortController();

/** A transport that gives one answer, and remembers what it was asked. */
function answering(status: number, body: object) {
  const asked: unknown[] = [];
  const transport = {
    redact: (text: string) => text,
    async get(path: string, query: Readonly<Record<string, string>>) {
      asked.push([path, query]);
      return { kind: 'Answered', status, body: JSON.stringify(body), date: undefined } as const;
    },
  };
  return { transport: transport as unknown as Parameters<typeof listNamespaces>[0], asked };
}

const annotations = { 'sidecar-sweeper.dev/skip': 'true' };

it('a namespace has its annotations, as far as they are strings', async () => {
  const namespace = { kind: 'Namespace', metadata: { annotations: { ...annotations, odd: 1 } } };
  const { transport, asked } = answering(200, namespace);
  expect(await readNamespace(transport, 'demo', signal)).toEqual({ kind: 'Present', annotations });
  expect(asked).toEqual([['/api/v1/namespaces/demo', {}]]);
});

it('a namespace has its uid', async () => {
  const { transport } = answering(200, { kind: 'Namespace', metadata: { uid: '5f2c' } });
  expect(await readNamespace(transport, 'demo', signal)).toEqual({
    kind: 'Present',
    annotations: {},
    uid: '5f2c',
  });
});

it('a namespace may be gone, or something else', async () => {
  const gone = answering(404, { kind: 'Status', reason: 'NotFound', details: { name: 'demo' } });
  expect(await readNamespace(gone.transport, 'demo', signal)).toEqual({ kind: 'Gone' });
  const other = answering(200, { kind: 'Pod' });
  expect((await readNamespace(other.transport, 'demo', signal)).kind).toBe('Unreadable');
});

it('the selector is sent to the server', async () => {
  const items = [{ metadata: { name: 'demo', annotations, labels: { team: 'a' } } }];
  const { transport, asked } = answering(200, { kind: 'NamespaceList', items });
  expect(await listNamespaces(transport, 'team=a', undefined, signal)).toMatchObject({
    items: [{ name: 'demo', reading: { kind: 'Present', annotations } }],
  });
  expect(asked).toEqual([['/api/v1/namespaces', { limit: '100', labelSelector: 'team=a' }]]);
});

it('namespaces without the labels are refused with all that came with them', async () => {
  const items = [{ metadata: { name: 'demo', labels: { team: 'a' } } }, { metadata: { name: 'other' } }];
  const { transport } = answering(200, { kind: 'NamespaceList', items });
  expect(await listNamespaces(transport, 'team=a', undefined, signal)).toMatchObject({
    kind: 'Unreadable',
    problem: { kind: 'Malformed' },
  });
});
