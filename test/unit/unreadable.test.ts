import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { unreadable } from '../../src/unreadable.ts';

it.each([
  ['/nonexistent', '/nonexistent cannot be read: it does not exist'],
  ['/', '/ cannot be read: it is a directory; name a file in it'],
  ['/etc/hosts/x', '/etc/hosts/x cannot be read: ENOTDIR'],
])('%s: %s', (file, message) => {
  try {
    readFileSync(file);
    expect.fail('it can be read');
  } catch (error) {
    expect(unreadable(file, error).message).toBe(message);
  }
});

it('stdin has a name, and an error may have no code', () => {
  expect(unreadable('-', 'odd').message).toBe('stdin cannot be read: unknown error');
});
