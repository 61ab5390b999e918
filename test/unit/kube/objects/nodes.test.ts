import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { listKubelets, readNode, readVersion } from '../../../../src/kube/objects/nodes.ts';
import { answered, forbidden, notFound, timedOut, transportWith } from '../../../builders/transport.ts';

const { signal: abort } = new AbortController();
const read = (answer: Answer) => readNode(transportWith(answer).transport, 'node1', abort);
const node = (...conditions: unknown[]) => answered(200, { kind: 'Node', status: { conditions } });

it('reads it by name', async () => {
  const { transport, asked } = transportWith(forbidden);
  await readNode(transport, 'a/b', abort);
  expect(asked.map(({ path }) => path)).toEqual(['/api/v1/nodes/a%2Fb']);
});

it.each<readonly [title: string, answer: Answer, reading: object]>([
  [
    'that is ready',
    node(
      { type: 'DiskPressure', status: 'False' },
      { type: 'Ready', status: 'True', reason: 'KubeletReady' },
    ),
    { kind: 'Ready', platform: '/' },
  ],
  [
    'whose status is unknown',
    node({ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }),
    { kind: 'NotReady', reason: 'NodeStatusUnknown' },
  ],
  [
    'that is not ready',
    node({ type: 'Ready', status: 'False', reason: 'KubeletNotReady' }),
    { kind: 'NotReady', reason: 'KubeletNotReady' },
  ],
  ['without conditions', node(), { kind: 'NotReady', reason: 'NoReadyCondition' }],
  ['without a status', answered(200, { kind: 'Node' }), { kind: 'NotReady', reason: 'NoReadyCondition' }],
  ['that does not exist', notFound('node1'), { kind: 'NotReady', reason: 'NodeGone' }],
  ['that is forbidden', forbidden, { kind: 'Unreadable', problem: { kind: 'Forbidden' } }],
  ['without an answer', timedOut, { kind: 'Unreadable', problem: { kind: 'TimedOut' } }],
  [
    'that is not a Node',
    answered(200, { kind: 'Pod' }),
    { kind: 'Unreadable', problem: { kind: 'Malformed' } },
  ],
])('reads a node %s', async (_title, answer, reading) => {
  expect(await read(answer)).toMatchObject(reading);
});

it.each<readonly [nodeInfo: unknown, platform: string]>([
  [{ operatingSystem: 'linux', architecture: 'arm64', kubeletVersion: 'v1.36.2' }, 'linux/arm64'],
  [{ operatingSystem: 'linux' }, 'linux/'],
  [{ operatingSystem: 7, architecture: 'amd64' }, '/amd64'],
  [undefined, '/'],
  [null, '/'],
])('reads the platform of a node with %j', async (nodeInfo, platform) => {
  const conditions = [{ type: 'Ready', status: 'True' }];
  const answer = answered(200, { kind: 'Node', status: { conditions, nodeInfo } });
  expect(await read(answer)).toEqual({ kind: 'Ready', platform });
});

it.each<readonly [title: string, node: object, platform: string]>([
  ['its label', { metadata: { labels: { type: 'virtual-kubelet' } } }, ' on a virtual kubelet'],
  ['its taint', { spec: { taints: [{ key: 'virtual-kubelet.io/provider' }] } }, ' on a virtual kubelet'],
  ['neither', { metadata: { labels: { type: 'gpu' } }, spec: { taints: [{ key: 'gpu' }] } }, ''],
])('tells a virtual kubelet by %s', async (_title, more, platform) => {
  const nodeInfo = { operatingSystem: 'linux', architecture: 'amd64' };
  const status = { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo };
  const answer = answered(200, { kind: 'Node', ...more, status });
  expect(await read(answer)).toEqual({ kind: 'Ready', platform: `linux/amd64${platform}` });
});

describe('the version of the API server', () => {
  it('is its gitVersion', async () => {
    const { transport, asked } = transportWith(answered(200, { major: '1', gitVersion: 'v1.31.2' }));
    expect(await readVersion(transport, abort)).toBe('v1.31.2');
    expect(asked[0]?.path).toBe('/version');
  });

  it('is unknown if it cannot be read', async () => {
    expect(await readVersion(transportWith(forbidden).transport, abort)).toBeUndefined();
    expect(await readVersion(transportWith(answered(200, 'ok')).transport, abort)).toBeUndefined();
  });
});

describe('the kubelets', () => {
  const page = (names: readonly string[], next?: string) =>
    answered(200, {
      kind: 'NodeList',
      metadata: { continue: next },
      items: names.map((name) => ({
        metadata: { name },
        status: { nodeInfo: { kubeletVersion: 'v1.31.2' } },
      })),
    });

  it('are those of every page', async () => {
    const { transport, asked } = transportWith(page(['a', 'b'], 'token'), page(['c']));
    const reading = await listKubelets(transport, abort);
    expect(reading).toEqual({
      kind: 'Read',
      kubelets: ['a', 'b', 'c'].map((node) => ({ node, version: 'v1.31.2' })),
    });
    expect(asked.map(({ query }) => query)).toEqual([{ limit: '50' }, { limit: '50', continue: 'token' }]);
  });

  it.each([
    ['are forbidden', forbidden, 'Forbidden'],
    ['are no list', answered(200, {}), 'Malformed'],
  ])('%s', async (_title, answer, kind) => {
    expect(await listKubelets(transportWith(answer).transport, abort)).toMatchObject({
      kind: 'Unreadable',
      problem: { kind },
    });
  });
});
