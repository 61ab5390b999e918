import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/cli/program.ts';
import { own, partsOf, shownLines } from '../shown-lines.ts';

/** The parts of the pipes that are this program's. */
const commands = shownLines.flatMap(([page, line]) =>
  partsOf(line)
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
  for (const [page, line] of shownLines) {
    const [program = ''] = words(line);
    if (own.test(line) || others[page]?.includes(program)) continue;
    others[page] = [...(others[page] ?? []), program].sort();
  }
  expect(others).toEqual(notRun);
});

/**
 * Those of this program are run by test/integration/shown-commands.test.ts. Of these, a test runs `npm run demo`, `demo:cron-job`,
 * `emulator` and `bench`, and `kubectl apply -k` of every overlay. The rest needs a registry, a debugger, or the network.
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

/** The words of a line, with a name for each placeholder. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) =>
    (a ?? b ?? c ?? '').replace(/<(\w+)>|\$\{.*\}/g, 'name'),
  );
}
