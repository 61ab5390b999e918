import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withReasons } from '../../../scripts/reasons-page.ts';
import { reasonGroups, reasonPages } from '../../../src/report/texts/reason-pages.ts';

it('docs/reasons.md has every reason; `npm run schema` writes them', () => {
  const page = readFileSync(new URL('../../../docs/reasons.md', import.meta.url), 'utf8');
  expect(withReasons(page)).toBe(page);
});

it('no name stands for two reasons', () => {
  const names = Object.values(reasonGroups).flatMap((group) => Object.keys(group));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect([...reasonPages.keys()]).toEqual(names);
});
