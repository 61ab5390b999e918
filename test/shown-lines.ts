import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** How a line calls this program. */
export const own = /^(?:sidecar-sweeper|node dist\/sidecar-sweeper\.mjs)\b/;

/** The lines for a shell that the README and the pages show, each with its page. */
export const shownLines: readonly (readonly [page: string, line: string])[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].flatMap((page) => linesOf(page).map((line) => [page, line] as const));

/** The parts of a pipe. */
export function partsOf(line: string): readonly string[] {
  return line.split(/ \| /);
}

/** The lines of the blocks of a page, without comments. Blocks that begin with `$` have tests of their own. */
function linesOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^```(?:sh|console)\n(?!\$ )([\s\S]*?)^```$/gm)];
  const lines = blocks.flatMap(([, block = '']) => block.split('\n'));
  return lines.filter((line) => /^[a-z]/.test(line)).map((line) => line.replace(/ +#.*/, ''));
}
