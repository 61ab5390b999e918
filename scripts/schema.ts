// Writes what pages say of flags, fields and bounds, and the warnings that come from the catalogue into manifests/policies. Tests
// check that all of it is up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { withBounds } from './bounds-table.ts';
import { withFlags, withPolicyFields } from './flag-tables.ts';
import { reportSchemas, withFields } from './report-fields.ts';
import { warningPolicy } from './warning-policy.ts';

const docs = new URL('../docs/', import.meta.url);
for (const [name, fill] of [
  ['reference/fields.md', (page: string) => withFields(page, reportSchemas())],
  ['reference/flags.md', withFlags],
  ['policy.md', withPolicyFields],
  ['reference/bounds.md', withBounds],
] as const) {
  const page = new URL(name, docs);
  await writeFile(page, fill(await readFile(page, 'utf8')));
}
await writeFile(
  new URL('../manifests/policies/regular-sidecars/policy.yaml', import.meta.url),
  warningPolicy(),
);
