import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { flagGroups } from '../../src/cli/flags.ts';
import { type Flag, isOn } from '../../src/policy/flag.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = readdirSync(join(root, 'docs'))
  // docs/reasons.md is bundled, and `explain --reason` prints it.
  .filter((name) => name.endsWith('.md') && name !== 'reasons.md')
  .map((name) => `docs/${name}`);

/** What is written by hand: not what `npm run schema` writes from the source. */
function ownText(path: string): string {
  return read(path).replace(/^<!-- (\w+) -->[\s\S]*?^<!-- \/\1 -->$/gm, '');
}

const countWords = (text: string) => text.split(/\s+/).filter(Boolean).length;

// What a user has to read and choose from grows back by itself: each figure is what issue 29 allows.
it.each([
  ['README.md', 110],
  ['docs/cure.md', 50],
])('%s has at most %i lines', (page, most) => {
  expect(read(page).split('\n').length).toBeLessThanOrEqual(most);
});

it.each(['README.md', ...pages])('%s pastes no more than ten lines of output', (page) => {
  const outputs = [...read(page).matchAll(/^```(?:console|text)\n([\s\S]*?)^```$/gm)];
  for (const [, output = ''] of outputs) expect(output.split('\n').length).toBeLessThanOrEqual(11);
});

it('users have ten pages with 15,000 words', () => {
  expect(pages.length).toBeLessThanOrEqual(10);
  const words = pages.map((page) => countWords(ownText(page)));
  expect(words.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(15_000);
});

it('there are three overlays to know, one for some namespaces, and six components', () => {
  expect(readdirSync(join(root, 'manifests/overlays'))).toEqual(['namespaced', 'report', 'swap', 'sweep']);
  expect(readdirSync(join(root, 'manifests/components')).length).toBeLessThanOrEqual(6);
});

it('a sweep has at most 30 flags, with --help', () => {
  const flags = Object.values(flagGroups).flatMap((group) => Object.values<Flag>(group));
  expect(flags.filter((flag) => isOn(flag, 'sweep')).length).toBeLessThanOrEqual(29);
});
