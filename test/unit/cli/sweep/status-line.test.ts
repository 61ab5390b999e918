import { expect, it } from 'vitest';
import { type Standing, statusLine } from '../../../../src/cli/sweep/status-line.ts';
import { widthOf } from '../../../../src/report/wrap.ts';

const wait = (name: string, until: number) => ({ name, until });
const ending: Standing = {
  isListing: false,
  listed: 40,
  stuck: 12,
  targets: 12,
  done: 3,
  waits: [wait('billing/invoice-mail', 5_000), wait('etl/load', 27_400)],
  isStopping: false,
};
const listing: Standing = { ...ending, isListing: true };

it('tells what is awaited longest, and how long at most', () => {
  expect(statusLine(ending, 0, 200)).toBe(
    '█████░░░░░░░░░░░░░░░  3 of 12 sidecars  waiting for etl/load and 1 more, at most 28s left',
  );
  expect(statusLine({ ...ending, waits: [wait('a/b', 0)] }, 1_000, 200)).toContain('waiting for a/b');
  expect(statusLine({ ...ending, waits: [] }, 0, 200)).toMatch(/ 3 of 12 sidecars$/);
});

it('tells how many pods have been listed', () => {
  expect(statusLine({ ...listing, stuck: 0 }, 0, 80)).toBe('40 pods listed');
  expect(statusLine(listing, 0, 80)).toBe('40 pods listed, 12 stuck');
  expect(statusLine({ ...listing, isStopping: true }, 0, 80)).toBe('40 pods listed, 12 stuck  stopping');
});

it('leaves out what has no room, whole', () => {
  expect(statusLine(ending, 0, 70)).toBe(
    '██░░░░░░░░  3 of 12 sidecars  waiting for etl/load, at most 28s left',
  );
  expect(statusLine(ending, 0, 50)).toBe('██░░░░░░░░  3 of 12 sidecars  at most 28s left');
  expect(statusLine(ending, 0, 16)).toBe('3 of 12 sidecars');
  expect(statusLine(ending, 0, 6)).toBe('3/12');
  expect(statusLine(ending, 0, 2)).toBe('');
});

it('never takes more than its room', () => {
  for (const standing of [ending, listing, { ...ending, isStopping: true }]) {
    for (let room = 0; room <= 400; room++) {
      expect(widthOf(statusLine(standing, 0, room))).toBeLessThanOrEqual(room);
    }
  }
});
