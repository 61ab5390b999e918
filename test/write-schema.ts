// Writes docs/*.schema.json; a test holds the files against what this would write.
import { writeFile } from 'node:fs/promises';
import {
  explanationJsonSchema,
  policyJsonSchema,
  reportJsonSchema,
  scanJsonSchema,
} from '../src/report/json-schema.ts';

await write('sweep-report', reportJsonSchema());
await write('sweep-policy', policyJsonSchema());
await write('scan', scanJsonSchema());
await write('pod-explanation', explanationJsonSchema());

async function write(name: string, schema: object): Promise<void> {
  await writeFile(`docs/${name}.schema.json`, `${JSON.stringify(schema, undefined, 2)}\n`);
}
