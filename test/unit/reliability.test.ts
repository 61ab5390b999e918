import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../../docs/internals/reliability.md', import.meta.url), 'utf8');

it('docs/internals/reliability.md says of every row of its catalogue what the product does, and where that is tested', () => {
  const rows = [...page.matchAll(/^\| ([A-E]\d+) \|(?: [^|]+ \|){4}$/gm)].map(([, row]) => row);
  const all = { A: 18, B: 12, C: 11, D: 9, E: 5 };
  for (const [part, most] of Object.entries(all)) {
    for (let index = 1; index <= most; index++) expect(rows).toContain(`${part}${index}`);
  }
});
