import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'test/kit/emulator/README.md',
  'examples/README.md',
];

it.each(pages)('every link of %s leads to a file', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const links = text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g);
  const pictures = text.matchAll(/ (?:src|srcset)="([^"]+)"/g);
  const targets = [...links, ...pictures].map(([, target = '']) => target);
  const own = targets.filter((target) => !/^[a-z]+:/.test(target));
  expect(own.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
});

it.each(pages)('every link of %s to a part of a page leads to a heading', (page) => {
  const links = [
    ...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?![a-z]+:)([^)#\s]*)#([^)\s]+)\)/g),
  ];
  const broken = links.filter(([, target = '', part = '']) => {
    const file = target === '' ? join(root, page) : join(root, dirname(page), target);
    return file.endsWith('.md') && !partsOf(readFileSync(file, 'utf8')).includes(part);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

/** What GitHub makes of the headings of a page. */
function partsOf(text: string): readonly string[] {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

it('the index has every page', () => {
  const index = readFileSync(join(root, 'docs', 'README.md'), 'utf8');
  const own = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(own.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

it('the pages that link to others are among them', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/install.md', 'docs/reasons.md']));
});
