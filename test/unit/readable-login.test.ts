import { expect, it } from 'vitest';
import { hasReadableLogin } from '../../src/readable-login.ts';

it.each([
  ['http://x', true],
  ['http://me@x', true],
  ['http://me:pass%20word@x', true],
  ['http://me:100%@x', false],
  ['http://m%zz:pass@x', false],
  ['http://me:%c3@x', false],
])('%s: %s', (url, isReadable) => {
  expect(hasReadableLogin(new URL(url))).toBe(isReadable);
});
