// Writes docs/*.schema.json, and the meaning of each of their fields into docs/report.md. Tests check that both are up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { jsonSchemas } from '../src/report/json-schema.ts';
import { reportSchemas, withFields } from './report-fields.ts';

const docs = new URL('../docs/', import.meta.url);
for (const [name, schema] of Object.entries(jsonSchemas())) {
  await writeFile(new URL(`${name}.schema.json`, docs), `${JSON.stringify(schema, undefined, 2)}\n`);
}
const page = new URL('report.md', docs);
await writeFile(page, withFields(await readFile(page, 'utf8'), reportSchemas()));
