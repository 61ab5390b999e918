import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { parseArguments } from '../../src/cli/program.ts';
import {
  notRun,
  own,
  pages,
  partsOf,
  readPage,
  runnerOf,
  type ShownLine,
  shownLines,
} from '../kit/shown-lines.ts';

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

describe('each line for a shell', () => {
  it('is run by a test, or docs/README.md says why not', () => {
    const unknown = (shown: ShownLine) => !runnerOf(shown) && !isIn(notRun, shown);
    expect(shownLines.filter(unknown)).toEqual([]);
  });

  it('that is not run is shown', () => {
    expect(notRun.length).toBeGreaterThan(0);
    expect(notRun.filter((shown) => !isIn(shownLines, shown))).toEqual([]);
  });

  it('is in a block for a shell', () => {
    const programs = new Set(shownLines.map(([, line]) => programOf(line)));
    const elsewhere = pages.flatMap((page) =>
      [...readPage(page).matchAll(/^ *```(?!sh$|console$)\w+\n([\s\S]*?)^ *```$/gm)].flatMap(
        ([, block = '']) =>
          block.split('\n').filter((line) => programOf(line) !== '' && programs.has(programOf(line))),
      ),
    );
    expect(elsewhere).toEqual([]);
  });

  it('names tests that there are, if it runs them', () => {
    const titles = recordings.map((name) => `'${name}'`).join();
    const runs = shownLines.flatMap(([, line]) => (line.includes('vitest run') ? line : []));
    expect(runs.length).toBeGreaterThan(0);
    for (const line of runs) {
      const [file = ''] = /test\/\S+\.test\.ts/.exec(line) ?? [];
      const [, quoted, word] = / -t (?:"([^"]+)"|(\S+))/.exec(line) ?? [];
      expect(`${readPage(file)}${titles}`).toContain(`'${quoted ?? word ?? ''}`);
    }
  });
});

it('a script for npm that a page names is in package.json', () => {
  const named = [...pages, 'CONTRIBUTING.md'].flatMap((page) =>
    [...readPage(page).matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, script = '']) => script),
  );
  expect(named).toContain('demo:cron-job');
  expect(named.filter((script) => !(script in packageJson.scripts))).toEqual([]);
});

const recordings = readdirSync(new URL('../kit/recordings', import.meta.url)).map((file) =>
  basename(file, '.json'),
);

/** In a table, more than one space follows. */
function programOf(line: string): string {
  return /^(\S+)(?: \S|$)/.exec(line)?.[1] ?? '';
}

function isIn(lines: readonly ShownLine[], [page, line]: ShownLine): boolean {
  return lines.some((one) => one[0] === page && one[1] === line);
}

/** The words of a line, with a name for each placeholder. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) =>
    (a ?? b ?? c ?? '').replace(/<(\w+)>|\$\{.*\}/g, 'name'),
  );
}
