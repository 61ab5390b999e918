import { expect, it } from 'vitest';
import { listNamespaces, readNamespace } from '../../../../src/kube/objects/objects.ts';
import { abort, answered, notFound, transportWith } from '../../../builders/transport.ts';

const annotations = { 'sidecar-sweeper.dev/skip': 'true' };

it('a namespace has its uid, and of its annotations the one that opts out', async () => {
  const metadata = { uid: '5f2c', annotations: { ...annotations, odd: 1 } };
  const { transport, asked } = transportWith(answered(200, { kind: 'Namespace', metadata }));
  const present = { kind: 'Present', annotations, uid: '5f2c' };
  expect(await readNamespace(transport, 'demo', abort)).toEqual(present);
  expect(asked).toEqual([{ path: '/api/v1/namespaces/demo', query: {} }]);
});

it('a namespace may be gone, or something else', async () => {
  const { transport } = transportWith(notFound('demo'), answered(200, { kind: 'Pod' }));
  expect(await readNamespace(transport, 'demo', abort)).toEqual({ kind: 'Gone' });
  expect((await readNamespace(transport, 'demo', abort)).kind).toBe('Unreadable');
});

const demo = { metadata: { name: 'demo', annotations, labels: { team: 'a' } } };

it('the selector is sent to the server', async () => {
  const { transport, asked } = transportWith(answered(200, { kind: 'NamespaceList', items: [demo] }));
  const items = [{ name: 'demo', reading: { kind: 'Present', annotations } }];
  expect(await listNamespaces(transport, 'team=a', undefined, abort)).toMatchObject({ items });
  expect(asked).toEqual([{ path: '/api/v1/namespaces', query: { limit: '100', labelSelector: 'team=a' } }]);
});

it('namespaces without the labels are refused with all that came with them', async () => {
  const items = [demo, { metadata: { name: 'other' } }];
  const { transport } = transportWith(answered(200, { kind: 'NamespaceList', items }));
  const reading = await listNamespaces(transport, 'team=a', undefined, abort);
  expect(reading).toMatchObject({ kind: 'Unreadable', problem: { kind: 'Malformed' } });
});
