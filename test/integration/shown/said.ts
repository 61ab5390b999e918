import { expect } from 'vitest';
import { normalise } from '../../../scripts/demo/readme.ts';
import { linesRunBy, type Runner } from '../../kit/shown-lines.ts';
import type { Typed } from './typed.ts';

/** What each line prints, row by row: with one space between columns, and `Ns` for every time. */
export type Says = Readonly<Record<string, readonly (string | RegExp)[]>>;

export function expectSaid(says: Says, line: string, result: Typed | undefined, exitCode = 0): void {
  const said = normalise(result?.text ?? 'it was not run');
  for (const row of says[line] ?? expect.fail(`say here what it prints: ${line}`)) expect(said).toMatch(row);
  expect(result?.exitCode).toBe(exitCode);
}

/** Whether it is known of each line of a test what it prints, and of no others. */
export function expectComplete(says: Says, test: Runner): void {
  expect(Object.keys(says).sort()).toEqual([...new Set(linesRunBy(test).map(([, line]) => line))].sort());
}
