import { describe, expect, it } from 'vitest';
import { reaches, tagOf, versionIn } from '../../../src/advise/version.ts';

describe('a version', () => {
  it.each([
    ['1.27.0', 'release', [1, 27, 0]],
    ['v1.31.2-gke.100', 'release', [1, 31, 2]],
    ['1.21.5-asm.7', 'release', [1, 21, 5]],
    ['2.1', 'release', [2, 1]],
    ['1.27.0-distroless', 'release', [1, 27, 0]],
    ['stable-2.14.10', 'release', [2, 14, 10]],
    ['enterprise-2.18.0', 'release', [2, 18, 0]],
    ['edge-25.10.2', 'edge', [25, 10, 2]],
  ])('is read from %s', (text, line, numbers) => {
    expect(versionIn(text)).toEqual({ line, numbers });
  });

  it.each(['', 'latest', '2', 'v2', 'preview-26.1.1', 'sha-1.2', '1.2.3.4', '1.99999999'])(
    'is unknown from %s',
    (text) => {
      expect(versionIn(text)).toBeUndefined();
    },
  );

  it.each([
    ['1.27.0', ['1.27'], true],
    ['1.26.9', ['1.27'], false],
    ['1.100.0', ['1.27'], true],
    ['1.27', ['1.27.1'], false],
    ['2.0.0', ['1.27'], true],
    ['edge-25.10.2', ['2.19', 'edge-25.10.2'], true],
    ['edge-25.9.9', ['2.19', 'edge-25.10.2'], false],
    ['stable-2.19.0', ['2.19', 'edge-25.10.2'], true],
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
