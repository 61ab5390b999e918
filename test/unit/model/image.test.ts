import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  imageReference,
  matchesGlob,
  matchesMirrored,
  matchesRepository,
  repositoryOf,
} from '../../../src/model/image.ts';

describe('a glob', () => {
  // biome-ignore format: as many as fit on a line
  it.each([
    ['istio-proxy', 'istio-proxy', true], ['istio-proxy', 'istio-proxy-2', false],
    ['istio-*', 'istio-proxy', true], ['*-proxy', 'istio-proxy', true], ['*', '', true], ['', '', true],
    ['', 'a', false], ['a*b*c', 'a-b-b-c', true], ['a*b*c', 'a-b-b', false], ['a.c', 'abc', false],
  ])('%s on "%s": %s', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  it('means what the regular expression of the same shape means', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    fc.assert(
      fc.property(letters, text, (pattern, subject) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
        expect(matchesGlob(pattern, subject)).toBe(expression.test(subject));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('an image', () => {
  it.each([
    ['registry.example:5000/a/b:1@sha256:00', 'registry.example:5000/a/b'],
    ['busybox', 'busybox'],
  ])('%s is of the repository %s', (image, repository) => {
    expect(repositoryOf(image)).toBe(repository);
  });

  it('is compared with a pattern part by part from the end', () => {
    expect(matchesRepository('istio/proxyv2', 'registry:5000/mirror/istio/proxyv2:1')).toBe(true);
    expect(matchesRepository('docker.io/proxyv2', 'registry:5000/proxyv2:1')).toBe(false);
    expect(matchesRepository('*/proxyv2', 'acme/proxyv2')).toBe(true);
    expect(matchesRepository('docker.io/acme/log', 'acme/log:1')).toBe(true);
    expect(matchesRepository('proxy', 'linkerd/proxy-init')).toBe(false);
    for (const image of ['a@sha256:0', 'docker.io/a', 'docker.io/library/a:1'])
      expect(['docker.io/library/a', 'docker.io/a'].every((one) => matchesRepository(one, image))).toBe(true);
  });

  it.each([
    ['linkerd/proxy', 'linkerd-proxy', true],
    ['linkerd/proxy', 'registry:5000/mirrored-linkerd-proxy:2@sha256:0', true],
    ['linkerd/proxy', 'cr_l5d_io_linkerd_proxy', true],
    ['linkerd/proxy', 'linkerd_proxy:2', true],
    ['a/b/c', 'a-b-c', true],
    ['acme/log-*', 'mirror/acme-log-shipper', true],
    ['linkerd/proxy', 'linkerd/proxy', false],
    ['linkerd/proxy', 'notlinkerd-proxy', false],
    ['linkerd/proxy', 'linkerd-proxy-init', false],
    ['linkerd/proxy', 'linkerd-proxy/tools', false],
    ['linkerd/proxy', 'x_linkerd-proxy', false],
    ['proxy', 'linkerd-proxy', false],
    ['*', 'linkerd-proxy', false],
  ])('of a mirror without folders is compared with %s: %s, %s', (pattern, image, expected) => {
    expect(matchesMirrored(pattern, image)).toBe(expected);
  });
});

const digest = `sha256:${'0'.repeat(64)}`;

it.each([
  'ghcr.io/acme/noop:1.2.3',
  'localhost:5000/a/b__c:v1-rc.1',
  '[fd00::A]:5000/noop',
  `noop@${digest}`,
  `registry.example/noop:1@${digest}`,
])('%s is an image', (image) => {
  expect(image).toMatch(imageReference);
});

it.each(['', 'a b', 'a:', '-a', 'a\n', 'https://a/b', 'a/B', 'a:1:2', `@${digest}`, 'a@v1', 'a'.repeat(600)])(
  '%j is not',
  (image) => {
    expect(image).not.toMatch(imageReference);
  },
);
