import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageOf } from '../../../src/report/texts/reasons.ts';
import { exclusions } from '../../builders/kinds.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const kinds = [
  ...Object.values(exclusions).map(({ kind }) => kind),
  'NeverStarted' as const,
  'Undecided' as const,
];

describe('every reason has a page that the output points to:', () => {
  it.each(kinds)('%s', (kind) => {
    const page = readFileSync(join(root, pageOf(kind)), 'utf8');
    expect(page).toMatch(new RegExp(`^# ${kind}: \\S`));
    expect(page).toContain('**What to do.**');
  });

  it('no page is about anything else, and the list of reasons links each', () => {
    const pages = readdirSync(join(root, 'docs', 'reasons')).filter((file) => file !== 'README.md');
    expect(pages.sort()).toEqual(kinds.map((kind) => `${kind}.md`).sort());
    const list = readFileSync(join(root, 'docs', 'reasons', 'README.md'), 'utf8');
    for (const kind of kinds) expect(list).toContain(`[${kind}](${kind}.md)`);
  });
});
