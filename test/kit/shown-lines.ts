import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** How a line calls this program. */
export const own = /^(?:sidecar-sweeper|node dist\/sidecar-sweeper\.mjs)\b/;

/** A line for a shell, and the page that shows it. */
export type ShownLine = readonly [page: string, line: string];

/** The README and the pages. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export const shownLines: readonly ShownLine[] = pages.flatMap((page) =>
  linesOf(page).map((line) => [page, line] as const),
);

/** The lines that no test runs, from the page that says why. */
export const notRun: readonly ShownLine[] = [
  ...readPage('docs/README.md').matchAll(/^\| \[[^\]]*\]\(([^)]+)\) \| (`.+`) \| .+ \|$/gm),
].flatMap(([, page = '', lines = '']) =>
  [...lines.matchAll(/`([^`]+)`/g)].map(([, line = '']) => [join('docs', page), line] as const),
);

/** The tests in test/integration that run lines, and which: the first that matches. */
const runners = [
  { test: 'newcomer', page: /^README/, line: /^(?:npm|open) / },
  { test: 'logs-page', page: /logs/, line: /^jq / },
  { test: 'shown/install', page: /install/, line: /^kubectl / },
  { test: 'shown/by-hand', page: /emulator/, line: /^npm / },
  { test: 'shown/by-hand', page: /debugging/, line: /^(?:kubectl |pod=|node )/ },
  { test: 'shown/shell', page: /./, line: /^(?:kubectl|sidecar-sweeper)\b/ },
] as const;

export type Runner = (typeof runners)[number]['test'];

/** The test that runs a line; undefined if none does. */
export function runnerOf([page, line]: ShownLine): Runner | undefined {
  if (notRun.some((one) => one[0] === page && one[1] === line)) return undefined;
  return runners.find((one) => one.page.test(page) && one.line.test(line))?.test;
}

export function linesRunBy(test: Runner): readonly ShownLine[] {
  return shownLines.filter((shown) => runnerOf(shown) === test);
}

/** The parts of a pipe. */
export function partsOf(line: string): readonly string[] {
  return line.split(/ \| /);
}

export function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/**
 * The lines of the blocks of a page, without comments. One that is indented belongs to the line before.
 * Blocks that begin with `$` have tests of their own.
 */
function linesOf(page: string): readonly string[] {
  const blocks = [...readPage(page).matchAll(/^```(?:sh|console)\n(?!\$ )([\s\S]*?)^```$/gm)];
  const lines = blocks.flatMap(([, block = '']) => block.replace(/\n +/g, ' ').split('\n'));
  return lines.filter((line) => /^[a-z]/.test(line)).map((line) => line.replace(/ +# .*/, ''));
}
