import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../../../src/apply/', import.meta.url);
const files = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.ts'));

/** The code of a file, without comments. */
function codeOf(name: string): string {
  const text = readFileSync(new URL(name, folder), 'utf8');
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}

it('only the scheduler, and what talks to the cluster, waits: gates, machine and outcome know no promises', () => {
  const waiting = files.filter((name) => /\b(Promise|async|await)\b/.test(codeOf(name)));
  expect(waiting.sort()).toEqual(['apply.ts', 'poller.ts', 'scheduler.ts', 'send.ts']);
  expect(files).toContain('gates/fuse.ts');
  expect(files.length).toBeLessThanOrEqual(14);
});
