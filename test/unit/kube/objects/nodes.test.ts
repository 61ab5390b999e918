import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { listKubelets, listNodes, readNode, readVersion } from '../../../../src/kube/objects/objects.ts';
import { abort, answered, forbidden, notFound, transportWith } from '../../../builders/transport.ts';

const read = (answer: Answer) => readNode(transportWith(answer).transport, 'node1', abort);
const ready = (status: string, reason?: string) => ({ conditions: [{ type: 'Ready', status, reason }] });
const node = (status?: object, more: object = {}) => answered(200, { kind: 'Node', ...more, status });
const linux = { ...ready('True'), nodeInfo: { operatingSystem: 'linux', architecture: 'amd64' } };

it('reads it by name', async () => {
  const { transport, asked } = transportWith(forbidden);
  await readNode(transport, 'a/b', abort);
  expect(asked.map(({ path }) => path)).toEqual(['/api/v1/nodes/a%2Fb']);
});

const onVirtual = 'linux/amd64 on a virtual kubelet';

// biome-ignore format: one row a line
it.each<readonly [title: string, answer: Answer, reading: object]>([
  ['that is ready', node(linux), { kind: 'Ready', platform: 'linux/amd64' }],
  ['without a platform', node(ready('True')), { kind: 'Ready', platform: '/' }],
  ['of an odd platform', node({ ...ready('True'), nodeInfo: { operatingSystem: 7, architecture: 'a' } }), { platform: '/a' }],
  ['with the label of a virtual kubelet', node(linux, { metadata: { labels: { type: 'virtual-kubelet' } } }), { platform: onVirtual }],
  ['with its taint', node(linux, { spec: { taints: [{ key: 'virtual-kubelet.io/provider' }] } }), { platform: onVirtual }],
  ['with another taint', node(linux, { spec: { taints: [{ key: 'gpu' }] } }), { platform: 'linux/amd64' }],
  ['of unknown status', node(ready('Unknown', 'NodeStatusUnknown')), { kind: 'NotReady', reason: 'NodeStatusUnknown' }],
  ['that is not ready', node(ready('False', 'KubeletNotReady')), { kind: 'NotReady', reason: 'KubeletNotReady' }],
  ['without conditions', node({ conditions: [] }), { kind: 'NotReady', reason: 'NoReadyCondition' }],
  ['without a status', node(), { kind: 'NotReady', reason: 'NoReadyCondition' }],
  ['that does not exist', notFound('node1'), { kind: 'NotReady', reason: 'NodeGone' }],
  ['that is forbidden', forbidden, { kind: 'Unreadable', problem: { kind: 'Forbidden' } }],
])('reads a node %s', async (_title, answer, reading) => {
  expect(await read(answer)).toMatchObject(reading);
});

it('in a list, each has its name, and what a single read has', async () => {
  const items = [{ metadata: { name: 'node1' }, status: ready('Unknown', 'NodeStatusUnknown') }];
  const { transport, asked } = transportWith(answered(200, { kind: 'NodeList', items }));
  const reading = { kind: 'NotReady', reason: 'NodeStatusUnknown' };
  const page = { kind: 'Page', items: [{ name: 'node1', reading }], token: undefined };
  expect(await listNodes(transport, undefined, abort)).toEqual(page);
  expect(asked[0]?.path).toBe('/api/v1/nodes');
});

it('the version of the API server is its gitVersion, or unknown', async () => {
  const { transport, asked } = transportWith(answered(200, { major: '1', gitVersion: 'v1.31.2' }));
  expect(await readVersion(transport, abort)).toBe('v1.31.2');
  expect(asked[0]?.path).toBe('/version');
  expect(await readVersion(transportWith(forbidden).transport, abort)).toBeUndefined();
  expect(await readVersion(transportWith(answered(200, 'ok')).transport, abort)).toBeUndefined();
});

it('the kubelets are those of every page', async () => {
  const status = { nodeInfo: { kubeletVersion: 'v1.31.2' } };
  const page = (next: string | undefined, ...names: readonly string[]) =>
    answered(200, {
      kind: 'NodeList',
      metadata: { continue: next },
      items: names.map((name) => ({ metadata: { name }, status })),
    });
  const { transport, asked } = transportWith(page('token', 'a', 'b'), page(undefined, 'c'));
  const kubelets = ['a', 'b', 'c'].map((node) => ({ node, version: 'v1.31.2' }));
  expect(await listKubelets(transport, abort)).toEqual({ kind: 'Read', items: kubelets });
  expect(asked.map(({ query }) => query)).toEqual([{ limit: '50' }, { limit: '50', continue: 'token' }]);
  const refused = { kind: 'Unreadable', problem: { kind: 'Forbidden' } };
  expect(await listKubelets(transportWith(forbidden).transport, abort)).toMatchObject(refused);
});
