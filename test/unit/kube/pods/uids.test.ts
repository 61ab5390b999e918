import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { Uids } from '../../../../src/kube/pods/uids.ts';

it('gives back every uid as it was', () => {
  const uids = new Uids();
  const lists = [
    [randomUUID(), '0'.repeat(32), randomUUID()],
    [],
    // A static pod's, and what only looks like a UUID.
    ['8fd9a1c2b3d4e5f60718293a4b5c6d7e', randomUUID().toUpperCase(), `${randomUUID()}0`, 'uid-a', ''],
    [randomUUID()],
  ];
  for (const list of lists) uids.add(list);
  expect([...uids].sort()).toEqual(lists.flat().sort());
});

it('is empty until it has one', () => {
  const uids = new Uids();
  expect(uids.isEmpty).toBe(true);
  uids.add([]);
  expect(uids.isEmpty).toBe(true);
  uids.add([randomUUID()]);
  expect(uids.isEmpty).toBe(false);
});
