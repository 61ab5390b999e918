import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageOf } from '../../../src/report/texts/reasons.ts';
import { exclusions, hangs } from '../../builders/kinds.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const kinds = [
  ...Object.values(exclusions).map(({ kind }) => kind),
  ...Object.values(hangs).map(({ kind }) => kind),
  'NeverStarted' as const,
  'NotStartedAgain' as const,
  'Undecided' as const,
];

describe('every reason has the page that the output refers to:', () => {
  it.each(kinds)('%s', (kind) => {
    const page = readFileSync(join(root, pageOf(kind)), 'utf8');
    expect(page).toMatch(new RegExp(`^# ${kind}: \\S`));
    expect(page).toContain('**What to do.**');
  });

  it('there are no other pages, and the list of reasons links to each', () => {
    const pages = readdirSync(join(root, 'docs', 'reasons')).filter((file) => file !== 'README.md');
    expect(pages.sort()).toEqual(kinds.map((kind) => `${kind}.md`).sort());
    const list = readFileSync(join(root, 'docs', 'reasons', 'README.md'), 'utf8');
    for (const kind of kinds) expect(list).toContain(`[${kind}](${kind}.md)`);
  });
});
