import { expect, it } from 'vitest';
import { type Arrangement, arrange, type Extent } from '../../../src/report/arrange.ts';

const extents: readonly Extent[] = [
  { column: { title: 'POD' }, full: 10, brief: 10 },
  { column: { title: 'AGE', worth: 1 }, full: 5, brief: 5 },
  { column: { title: 'WHY', worth: 2, isProse: true }, full: 30, brief: 8 },
];
const at = (width: number | undefined, wide = false): Arrangement => arrange(extents, { width, wide });

it('everything has its full width if there is room, or no terminal', () => {
  const all = { kind: 'Rows', gap: 3, widths: [10, 5, 30] };
  expect(at(undefined)).toEqual(all);
  expect(at(51)).toEqual(all);
  expect(at(400)).toEqual(all);
});

it('columns move together before one gives way; the one that is worth least goes first', () => {
  const narrow = (...widths: readonly (number | undefined)[]) => ({ kind: 'Rows', gap: 2, widths });
  expect(at(50)).toEqual(narrow(10, 5, 30));
  expect(at(48)).toEqual(narrow(10, 5, 29));
  expect(at(27)).toEqual(narrow(10, 5, 8));
  expect(at(26)).toEqual(narrow(10, undefined, 14));
  expect(at(19)).toEqual(narrow(10, undefined, undefined));
});

it('without room for what always stays, each row is a block', () => {
  expect(at(10)).toEqual({ kind: 'Rows', gap: 2, widths: [10, undefined, undefined] });
  expect(at(9)).toEqual({ kind: 'Blocks' });
});

it('-o wide leaves no column out; sentences may still go below', () => {
  expect(at(19, true)).toEqual({ kind: 'Rows', gap: 2, widths: [10, 5, undefined] });
  expect(at(16, true)).toEqual({ kind: 'Blocks' });
});
