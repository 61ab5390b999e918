import { describe, expect, it } from 'vitest';
import {
  beforeNative,
  describeNodes,
  keepsNative,
  oldNodes,
  reaches,
  tagOf,
  versionIn,
} from '../../../src/advice/versions.ts';
import { versions } from '../../builders/stuck.ts';

describe('a version', () => {
  // biome-ignore format: as many as fit on a line
  it.each([
    ['1.27.0', 'release', [1, 27, 0]], ['v1.31.2-gke.100', 'release', [1, 31, 2]],
    ['1.21.5-asm.7', 'release', [1, 21, 5]], ['2.1', 'release', [2, 1]],
    ['1.27.0-distroless', 'release', [1, 27, 0]], ['stable-2.14.10', 'release', [2, 14, 10]],
    ['enterprise-2.18.0', 'release', [2, 18, 0]], ['edge-25.10.2', 'edge', [25, 10, 2]],
  ])('is read from %s', (text, line, numbers) => {
    expect(versionIn(text)).toEqual({ line, numbers });
  });

  it.each(['', 'latest', '2', 'v2', 'preview-26.1.1', 'sha-1.2', '1.2.3.4', '1.99999999'])(
    'is unknown from %s',
    (text) => {
      expect(versionIn(text)).toBeUndefined();
    },
  );

  // biome-ignore format: as many as fit on a line
  it.each([
    ['1.27.0', ['1.27'], true], ['1.26.9', ['1.27'], false], ['1.100.0', ['1.27'], true],
    ['1.27', ['1.27.1'], false], ['2.0.0', ['1.27'], true], ['edge-25.10.2', ['2.19', 'edge-25.10.2'], true],
    ['edge-25.9.9', ['2.19', 'edge-25.10.2'], false], ['stable-2.19.0', ['2.19', 'edge-25.10.2'], true],
    ['edge-25.10.2', ['2.19'], false],
  ])('%s compared with %j: %s', (text, bounds, expected) => {
    const version = versionIn(text);
    expect(version && reaches(version, bounds)).toBe(expected);
  });
});

it.each([
  ['docker.io/istio/proxyv2:1.27.0', '1.27.0'],
  ['registry:5000/istio/proxyv2', undefined],
  ['registry:5000/istio/proxyv2:1.27@sha256:0', '1.27'],
  ['istio/proxyv2@sha256:0', undefined],
])('the tag of %s is %s', (image, tag) => {
  expect(tagOf(image)).toBe(tag);
});

describe('before native sidecars work', () => {
  it('nothing is to be done from 1.29 on', () => {
    expect(beforeNative(versions('v1.29.0', 'v1.29.0-eks-1', 'v1.33.1'))).toEqual([]);
    expect(keepsNative(versions('v1.29.0'))).toBe(true);
  });

  it('anything older needs an upgrade', () => {
    expect(beforeNative(versions('v1.27.5'))).toEqual(['upgrade the API server (v1.27.5) to 1.29 or later']);
    expect([keepsNative(versions('v1.28.5')), keepsNative(versions('v1.27.5'))]).toEqual([false, false]);
  });

  it('nodes that are older are named', () => {
    const expected = ['upgrade the nodes that are older than 1.29: b (v1.28.9)'];
    expect(beforeNative(versions('v1.31.0', 'v1.31.0', 'v1.28.9'))).toEqual(expected);
    expect(beforeNative(versions('v1.31.0', 'v1.31.0', ''))).toEqual([]);
  });

  it('what cannot be read is to be looked at', () => {
    const problem = { kind: 'Forbidden', message: 'nodes is forbidden' } as const;
    const unknown = { server: undefined, kubelets: { kind: 'Unreadable', problem } } as const;
    expect(beforeNative(unknown)).toEqual([
      'make sure that the API server is 1.29 or later: its version cannot be read',
      'make sure that all kubelets are 1.29 or later: the nodes cannot be listed (nodes is forbidden)',
    ]);
    expect([keepsNative(unknown), oldNodes(unknown.kubelets, '1.33')]).toEqual([false, undefined]);
  });
});

it('of many old nodes, ten are named', () => {
  const old = oldNodes(
    versions('v1.34.0', 'v1.33.0', ...Array.from({ length: 12 }, () => 'v1.32.0')).kubelets,
    '1.33',
  );
  expect(old).toMatchObject({ kubelet: '1.33', more: 2 });
  expect(old?.nodes[0]).toEqual({ name: 'b', kubelet: 'v1.32.0' });
  expect(old && describeNodes(old)).toMatch(/^b \(v1\.32\.0\), .* and 2 more$/);
});
