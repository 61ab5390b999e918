import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { AccessReport } from '../../../src/report/access.ts';
import { plain, renderAccess } from '../../builders/rendered.ts';

const exec = { apiGroups: [''], resources: ['pods/exec'], verbs: ['create'] };
// biome-ignore format: one row a line
const report: AccessReport = {
  apiVersion: 'sidecar-sweeper.dev/v1',
  kind: 'AccessReport',
  permissions: [
    { verb: 'get', group: '', resource: 'pods', for: 'find stuck pods and verify the result', allowed: 'Yes' },
    { verb: 'create', group: '', resource: 'pods', subresource: 'exec', namespace: 'demo', for: 'signal', allowed: 'No' },
    { verb: 'get', group: 'batch', resource: 'jobs', for: 'read Jobs', allowed: 'Unknown' },
  ],
  rulesToAdd: [{ namespace: 'demo', rules: [exec] }, { rules: [exec] }],
  warnings: [],
};

it('the answer comes first, in one sentence', () => {
  const answerTo = (...allowed: readonly ('Yes' | 'No' | 'Unknown')[]) => {
    const [read] = report.permissions;
    const permissions = allowed.map((allowed) => ({ ...read, allowed })) as AccessReport['permissions'];
    return renderAccess({ ...report, permissions }, plain).split('\n')[0];
  };
  expect(answerTo('Yes', 'Yes')).toBe('this account has every permission that such a sweep needs');
  expect(answerTo('Yes', 'No')).toBe('this account lacks 1 of the 2 permissions that such a sweep needs');
  expect(answerTo('Unknown', 'Unknown')).toBe('the permissions of this account are unknown');
  const expected = 'this account lacks 1 and may lack 2 of the 3 permissions that such a sweep needs';
  expect(answerTo('No', 'Unknown', 'Unknown')).toBe(expected);
});

it('the table has a row for each permission', () => {
  const [, table = ''] = renderAccess(report, plain).split('\n\n');
  const [head, ...rows] = table.split('\n');
  expect(head).toMatch(/^NAMESPACE +VERB +RESOURCE +ALLOWED +NEEDED FOR$/);
  expect(rows[0]).toMatch(/^\(all\) +get +pods +yes +find stuck pods and verify the result$/);
  expect(rows[1]).toMatch(/^demo +create +pods\/exec +no +signal$/);
  expect(rows[2]).toMatch(/^\(all\) +get +batch\/jobs +unknown +read Jobs$/);
});

it('the missing rules follow, each with the place where it belongs', () => {
  const [, ...added] = renderAccess(report, plain).split(/^Add to /m);
  expect(added.map((text) => text.split(/[ :]/)[1])).toEqual(['Role', 'ClusterRole']);
  expect(added[0]).toContain('in namespace demo');
  for (const text of added) expect(parse(text.slice(text.indexOf('\n')))).toEqual({ rules: [exec] });
});

it('what an operator should know of the connection follows the table', () => {
  const warnings = [{ kind: 'ServerUnverified', server: 'https://127.0.0.1:6443' }] as const;
  const [, table = ''] = renderAccess({ ...report, warnings }, plain).split('\n\n');
  expect(table).toMatch(/^warning: the certificate of https:\/\/127.0.0.1:6443 is not checked/m);
});
