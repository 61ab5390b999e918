import { expect, it } from 'vitest';
import { describeFault, faultOf } from '../../../src/model/reading.ts';

it('a fault says in one line what was being done, and keeps the stack', () => {
  const fault = faultOf('judging demo/work', new TypeError('no such\nthing\u001b[2J'));
  expect(describeFault(fault)).toBe('internal error while judging demo/work: TypeError: no such thing [2J');
  expect(fault.stack).toContain('fault.test.ts');
});

it('anything can be thrown', () => {
  expect(faultOf('judging', 'paper')).toEqual({ doing: 'judging', message: 'paper', stack: undefined });
  expect(describeFault(faultOf('judging', undefined))).toBe('internal error while judging: undefined');
});
