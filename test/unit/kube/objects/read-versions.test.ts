import { describe, expect, it } from 'vitest';
import { listKubelets, readVersion } from '../../../../src/kube/objects/nodes.ts';
import { answered, forbidden, transportWith } from '../../../builders/transport.ts';

const { signal: abort } = new AbortController();

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
