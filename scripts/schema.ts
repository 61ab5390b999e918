// Writes the fields of every document into docs/report.md, the tables of flags and of the policy's fields into docs/flags.md and
// docs/policy.md, the bounds into docs/security.md, and the warnings that come from the catalogue into manifests/policies. Tests check
// that all of them are up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { withBounds } from './bounds-table.ts';
import { withFlags, withPolicyFields } from './flag-tables.ts';
import { withReasons } from './reasons-page.ts';
import { reportSchemas, withFields } from './report-fields.ts';
import { warningPolicy } from './warning-policy.ts';

const docs = new URL('../docs/', import.meta.url);
for (const [name, fill] of [
  ['report.md', (page: string) => withFields(page, reportSchemas())],
  ['flags.md', withFlags],
  ['policy.md', withPolicyFields],
  ['security.md', withBounds],
  ['reasons.md', withReasons],
] as const) {
  const page = new URL(name, docs);
  await writeFile(page, fill(await readFile(page, 'utf8')));
}
await writeFile(new URL('../manifests/policies/regular-sidecars.yaml', import.meta.url), warningPolicy());
