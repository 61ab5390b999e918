// Writes docs/*.schema.json, and what each of their fields means into docs/report.md. Tests check that both are up to date.
// With --new-contract, the schemas become what readers may rely on: for a release, never to make a test pass.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { jsonSchemas } from '../src/report/json-schema.ts';
import { contractFolder, reportSchemas } from './contract/documents.ts';
import { withFields } from './contract/page.ts';

const docs = new URL('../docs/', import.meta.url);
const folders = process.argv.includes('--new-contract') ? [docs, contractFolder] : [docs];
for (const folder of folders) {
  await mkdir(folder, { recursive: true });
  for (const [name, schema] of Object.entries(jsonSchemas())) {
    await writeFile(new URL(`${name}.schema.json`, folder), `${JSON.stringify(schema, undefined, 2)}\n`);
  }
}
const page = new URL('report.md', docs);
await writeFile(page, withFields(await readFile(page, 'utf8'), reportSchemas()));
