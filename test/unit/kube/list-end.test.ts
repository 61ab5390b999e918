import { expect, it } from 'vitest';
import { readListEnd } from '../../../src/kube/list-end.ts';

it.each<readonly [title: string, metadata: unknown, token: string | undefined]>([
  ['a token', { resourceVersion: '7', continue: 'next' }, 'next'],
  ['an empty token', { continue: '' }, undefined],
  ['no token', { resourceVersion: '7' }, undefined],
  ['no metadata', undefined, undefined],
])('a list ends with %s', (_title, metadata, token) => {
  expect(readListEnd(metadata)).toEqual({ token });
});

it.each<readonly [title: string, metadata: unknown]>([
  ['a token that is a number', { continue: 5 }],
  ['a token that is null', { continue: null }],
  ['a token of megabytes, of which several would be kept', { continue: 'x'.repeat(1_048_576) }],
  ['a token that is an object', { continue: {} }],
  ['metadata that are null', null],
  ['metadata that are a list', []],
  ['metadata that are a text', 'next'],
])('whether more follows is unclear with %s', (_title, metadata) => {
  expect(readListEnd(metadata)).toBeUndefined();
});
