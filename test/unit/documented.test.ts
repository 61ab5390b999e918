import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { withBounds } from '../../scripts/bounds-table.ts';
import { withFlags, withPolicyFields } from '../../scripts/flag-tables.ts';
import { flagOf, methods } from '../../src/methods/index.ts';
import { describeRbac, needs, type RbacRule } from '../../src/methods/permissions.ts';
import * as annotations from '../../src/model/annotations.ts';
import { policyFile, readPolicy } from '../../src/policy/policy-file.ts';
import { readSteps } from '../../src/policy/validation.ts';
import { exitCodes } from '../../src/report/exit-code.ts';
import { toMetrics } from '../../src/report/metrics.ts';
import { candidate } from '../builders/plan.ts';
import { endOf, finished, listed, planMade, reportOf, started } from '../builders/report.ts';

const root = new URL('../../', import.meta.url);
const read = (page: string) => readFileSync(new URL(page, root), 'utf8');

/** The names in backticks in the first column of tables. */
function firstColumn(text: string): readonly string[] {
  const cells = text.matchAll(/^\| ([^|]+) \|/gm);
  return [...cells].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

function expectDocumented(offered: readonly string[], documented: readonly string[]): void {
  expect(offered).not.toEqual([]);
  expect(offered.filter((name) => !documented.includes(name))).toEqual([]);
}

function grantsOf(rules: readonly RbacRule[]): readonly string[] {
  return rules.flatMap(({ resources, verbs }) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
  );
}

it('docs/reference/flags.md has every flag of a sweep, and docs/policy.md every field; `npm run schema` writes them', () => {
  expect(withFlags(read('docs/reference/flags.md'))).toBe(read('docs/reference/flags.md'));
  expect(withPolicyFields(read('docs/policy.md'))).toBe(read('docs/policy.md'));
});

it('docs/reference/bounds.md has every bound with its figure; `npm run schema` writes them', () => {
  expect(withBounds(read('docs/reference/bounds.md'))).toBe(read('docs/reference/bounds.md'));
});

it('docs/reference/flags.md has every exit code, and no other', () => {
  const documented = [...read('docs/reference/flags.md').matchAll(/^\| (\d+) \| \w/gm)].map(([, code]) =>
    Number(code),
  );
  expect(documented).toEqual(Object.values(exitCodes).sort((a, b) => a - b));
});

it('docs/report.md has every metric with its labels, and no other', async () => {
  const rows = [...read('docs/report.md').matchAll(/^\| `(sidecar_sweeper_\w+)` \| ([^|]*) ?\|/gm)];
  const documented = rows.map(([, name, labels = '']) => [name, labels.replaceAll('`', '').trim()]);
  const stuck = candidate();
  const report = reportOf(started(), ...listed(stuck), planMade(stuck), endOf(stuck), finished);
  const metrics = await toMetrics(report, exitCodes.resolved).getMetricsAsJSON();
  expect(documented).toEqual(
    metrics.map(({ name, values }) => [name, Object.keys(values[0]?.labels ?? {}).join(', ')]),
  );
});

it('docs/security.md has every component, and every overlay', () => {
  const folders = (path: string) => readdirSync(new URL(`manifests/${path}`, root));
  const known = [...folders('components'), ...folders('overlays')];
  const [permissions = ''] = /^## Permissions\n[\s\S]*?(?=^## )/m.exec(read('docs/security.md')) ?? [];
  expect([...new Set(firstColumn(permissions))].sort()).toEqual(known.sort());
});

it('the role in docs/security.md grants all that a scan reads', () => {
  const [, role = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(read('docs/security.md')) ?? [];
  const { pods, jobs, namespaces, nodes } = needs;
  const scanned = [pods, jobs, namespaces, nodes].flatMap(({ rules }) => grantsOf(rules));
  expectDocumented(scanned, grantsOf(parse(role).rules));
});

it('docs/policy.md begins with a short example, and has one with every field of a policy', () => {
  const [short = '', example = ''] = blocks('docs/policy.md', 'yaml');
  expect(short.split('\n').length).toBeLessThanOrEqual(12);
  const offered = Object.keys(policyFile.shape);
  expectDocumented(offered, Object.keys(parse(example)));
});

it('every annotation that the sweeper reads is on a page', () => {
  const pages = readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => read(`docs/${name}`));
  const text = [read('README.md'), ...pages].join('\n');
  const offered = Object.values(annotations).flatMap((exported) => {
    if (typeof exported === 'function') return [];
    return typeof exported === 'string' ? [exported] : Object.values(exported);
  });
  const documented = offered.filter((key) => text.includes(key));
  expectDocumented(offered, documented);
});

function blocks(page: string, language: string): readonly string[] {
  const text = read(page);
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
}

it('the policies in docs/policy.md can be used as they stand', () => {
  const policies = blocks('docs/policy.md', 'yaml').map(readPolicy);
  expect(policies).toMatchObject([{ kind: 'Policy' }, { kind: 'Policy', policy: { uncleanExit: 'forbid' } }]);
});

it('so can the steps in docs/how-it-works.md', () => {
  const [steps = '', ...others] = blocks('docs/how-it-works.md', 'json');
  expect(others).toEqual([]);
  expect(readSteps(steps)).toMatchObject({ kind: 'Steps' });
});

it('the table in docs/how-it-works.md has every method and the permission that it needs', () => {
  const text = read('docs/how-it-works.md');
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \|[^|]*\| ([^|]*) \|/gm)].map(([, flag, needs]) => [
    flag,
    needs,
  ]);
  expect(rows).toEqual(methods.map(({ name, rbac }) => [flagOf(name), describeRbac(rbac)]));
});

it('docs/internals/reliability.md says of every row of its catalogue what the product does, and where that is tested', () => {
  const rows = [
    ...read('docs/internals/reliability.md').matchAll(/^\| ([A-E]\d+) \|(?: [^|]+ \|){4}$/gm),
  ].map(([, row]) => row);
  const all = { A: 18, B: 12, C: 11, D: 9, E: 5 };
  for (const [part, most] of Object.entries(all)) {
    for (let index = 1; index <= most; index++) expect(rows).toContain(`${part}${index}`);
  }
});
