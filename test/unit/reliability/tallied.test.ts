import { expect, it } from 'vitest';
import { broken, sumTally } from '../../../scripts/reliability/tallied.ts';

const lines = [
  { what: 'faults', row: 'A10', count: 2 },
  { what: 'faults', row: 'A9', count: 1 },
  { what: 'faults', row: 'A10', count: 3 },
  { what: 'leaks', row: 'E4', count: 0 },
];
const text = (all: readonly object[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('');

it('lines are summed by what they count and by row, A9 before A10', () => {
  const tallied = sumTally(text(lines));
  expect(tallied.faults).toEqual({ all: 6, by: { A9: 1, A10: 5 } });
  expect(Object.keys(tallied.faults.by)).toEqual(['A9', 'A10']);
  expect(tallied.interleavings).toEqual({ all: 0, by: {} });
});

it('a single leak or lost outcome is broken, and nothing else is', () => {
  expect(broken(sumTally(text(lines)))).toEqual([]);
  expect(broken(sumTally(text([...lines, { what: 'outcomesLost', row: 'A1', count: 1 }])))).toEqual([
    'outcomesLost: 1',
  ]);
});
