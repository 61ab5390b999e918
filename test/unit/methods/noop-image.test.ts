import { describe, expect, it } from 'vitest';
import { hasProgram } from '../../../src/methods/image-swap.ts';
import { imageReference } from '../../../src/model/image.ts';

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

describe('the shipped image', () => {
  it.each([
    undefined,
    'sh',
    '/bin/sh',
    '/usr/bin/sleep',
    '/usr/local/bin/envoy',
    '/cloud-sql-proxy',
    '/busybox/sh',
  ])('has %s', (program) => {
    expect(hasProgram(program, 'shipped')).toBe(true);
  });

  it.each(['', '/opt/agent', 'bin/sh', '/sbin/sh', '/sh', '/bin/', '/bin'])('does not have %j', (program) => {
    expect(hasProgram(program, 'shipped')).toBe(false);
  });
});

it('another image has its own entrypoint and the programs that the policy says it has, and no others', () => {
  expect(hasProgram(undefined, ['/opt/agent'])).toBe(true);
  expect(hasProgram(undefined, [])).toBe(true);
  expect(hasProgram('/opt/agent', ['/opt/agent'])).toBe(true);
  expect(hasProgram('/bin/sh', ['/opt/agent'])).toBe(false);
  expect(hasProgram('/bin/sh', [])).toBe(false);
});

it.each([undefined, 'sh', '/bin/sh', '/opt/agent'])(
  'nothing is known of an image of which nobody says what it has: %s',
  (program) => {
    expect(hasProgram(program, undefined)).toBe(false);
  },
);
