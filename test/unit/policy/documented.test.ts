import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { methods } from '../../../src/methods/index.ts';
import { describeRbac } from '../../../src/methods/permissions.ts';
import { readPolicy } from '../../../src/policy/file.ts';
import { readSteps } from '../../../src/policy/validation.ts';

const root = new URL('../../../', import.meta.url);

/** The blocks of that language in a page. */
function blocks(page: string, language: string): readonly string[] {
  const text = readFileSync(new URL(page, root), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
}

it('the policy in docs/policy.md can be used as it stands', () => {
  const [policy = '', ...others] = blocks('docs/policy.md', 'yaml');
  expect(others).toEqual([]);
  expect(readPolicy(policy)).toMatchObject({ kind: 'Policy', policy: { uncleanExit: 'forbid' } });
});

it('so can the steps in docs/how-it-works.md', () => {
  const [steps = '', ...others] = blocks('docs/how-it-works.md', 'json');
  expect(others).toEqual([]);
  expect(readSteps(steps)).toMatchObject({ kind: 'Steps' });
});

it('the table in docs/how-it-works.md has every method and the permission that it needs', () => {
  const text = readFileSync(new URL('docs/how-it-works.md', root), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \|[^|]*\| ([^|]*) \|/gm)].map(([, flag, needs]) => [
    flag,
    needs,
  ]);
  expect(rows).toEqual(methods.map(({ flag, rbac }) => [flag, describeRbac(rbac)]));
});
