import { expect, it } from 'vitest';
import { bounds, shortened, summarized } from '../../../src/model/bounds.ts';
import { describeFault, faultOf } from '../../../src/model/reading.ts';

it('a text that is repeated is cut where it is longer than a name in Kubernetes', () => {
  expect(shortened('work')).toBe('work');
  expect(shortened('x'.repeat(253))).toHaveLength(253);
  expect(shortened('x'.repeat(254))).toBe(`${'x'.repeat(253)}…`);
});

it('of many problems, the first are told and the others counted', () => {
  const problems = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);
  expect(summarized([])).toBe('');
  expect(summarized(['a', 'b'])).toBe('a; b');
  expect(summarized(problems(bounds.problems))).not.toContain('more');
  expect(summarized(problems(bounds.problems + 7))).toMatch(/^p0; p1; .*; p7; and 7 more$/);
  expect(summarized(['x'.repeat(1_000)])).toHaveLength(254);
});

it('a fault says in one line what was being done, and keeps the stack', () => {
  const fault = faultOf('judging demo/work', new TypeError('no such\nthing\u001b[2J'));
  expect(describeFault(fault)).toBe('internal error while judging demo/work: TypeError: no such thing [2J');
  expect(fault.stack).toContain('messages.test.ts');
});

it('anything can be thrown', () => {
  expect(faultOf('judging', 'paper')).toEqual({ doing: 'judging', message: 'paper', stack: undefined });
  expect(describeFault(faultOf('judging', undefined))).toBe('internal error while judging: undefined');
});
