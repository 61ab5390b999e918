import { expect, it } from 'vitest';
import { imageReference } from '../../../src/methods/image-reference.ts';

const digest = `sha256:${'0'.repeat(64)}`;

it.each([
  'busybox',
  'ghcr.io/acme/noop:1.2.3',
  'localhost:5000/a/b__c:v1-rc.1',
  '[::1]:5000/noop',
  `noop@${digest}`,
  `registry.example/noop:1@${digest}`,
])('%s is an image', (image) => {
  expect(image).toMatch(imageReference);
});

it.each(['', ' ', 'a b', 'a:', '-a', 'a\n', 'https://a b', `@${digest}`, 'a@latest', 'ä', 'a'.repeat(600)])(
  '%j is not',
  (image) => {
    expect(image).not.toMatch(imageReference);
  },
);
