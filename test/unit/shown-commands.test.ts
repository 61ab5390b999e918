import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/cli/program.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const own = /^(?:sidecar-sweeper|node dist\/sidecar-sweeper\.mjs)\b/;
const lines = pages.flatMap((page) => linesOf(page).map((line) => [page, line] as const));

/** The parts of the pipes that are this program's. */
const commands = lines.flatMap(([page, line]) =>
  line
    .replace(/ +#.*/, '')
    .split(/ \| /)
    .filter((part) => own.test(part))
    .map((part) => [page, part.replace(/ >>? \S+$/, '')] as const),
);

describe('a command on a page is one that the program takes:', () => {
  it.each(commands)('%s: %s', (_page, command) => {
    expect(parseArguments(words(command.replace(own, '').trim())).kind).toBe('Run');
  });
});

it('what is not run by a test is listed here, page by page', () => {
  const others: Record<string, string[]> = {};
  for (const [page, line] of lines) {
    const [program = ''] = words(line);
    if (own.test(line) || others[page]?.includes(program)) continue;
    others[page] = [...(others[page] ?? []), program].sort();
  }
  expect(others).toEqual(notRun);
});

/**
 * Of these, a test runs `npm run demo`, `demo:cron-job`, `emulator` and `bench`, and `kubectl apply -k` of every overlay. The rest
 * needs a registry, a debugger, or the network.
 */
const notRun = {
  'README.md': ['kubectl', 'npm', 'open'],
  'docs/commands.md': ['kubectl'],
  'docs/debugging.md': ['kubectl', 'node', 'npm', 'npx', 'pod=$(kubectl'],
  'docs/emulator.md': ['npm'],
  'docs/history.md': ['kubectl'],
  'docs/install.md': ['docker', 'kubectl'],
  'docs/library.md': ['npm'],
  'docs/logs.md': ['jq'],
  'docs/performance.md': ['npm'],
  'docs/versions.md': ['kubectl'],
};

/** The lines of the blocks of a page that are for a shell. Blocks that begin with `$` have tests of their own. */
function linesOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^```(?:sh|console)\n(?!\$ )([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, block = '']) => block.split('\n')).filter((line) => /^[a-z]/.test(line));
}

/** The words of a line, with a name for each placeholder. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) =>
    (a ?? b ?? c ?? '').replace(/<(\w+)>|\$\{.*\}/g, 'name'),
  );
}
