// Writes docs/*.schema.json. A test checks that the files are up to date.
import { writeFile } from 'node:fs/promises';
import { jsonSchemas } from '../src/report/json-schema.ts';

for (const [name, schema] of Object.entries(jsonSchemas())) {
  await writeFile(`docs/${name}.schema.json`, `${JSON.stringify(schema, undefined, 2)}\n`);
}
