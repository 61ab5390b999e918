import { expect, it } from 'vitest';
import { gentlerThan } from '../../../src/plan/blocked.ts';

const command = { step: { method: 'Command' } } as const;
const signal = { step: { method: 'Signal' } } as const;
const kill = { method: 'Signal', exitCode: 137 } as const;

it('what is gentler than a KILL is the step of the same method before it', () => {
  const last = { ...signal };
  expect(gentlerThan(kill, [signal, last, command])).toBe(last);
  expect(gentlerThan(kill, [command])).toBeUndefined();
  expect(gentlerThan(kill, [])).toBeUndefined();
});

it.each([undefined, 0, 143])('nothing is gentler than a step whose exit code is %s', (exitCode) => {
  expect(gentlerThan({ method: 'Signal', exitCode }, [signal])).toBeUndefined();
});
