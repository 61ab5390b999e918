// Writes docs/sweep-report.schema.json; a test holds the file against what this would write.
import { writeFile } from 'node:fs/promises';
import { reportJsonSchema } from '../src/report/json-schema.ts';

await writeFile('docs/sweep-report.schema.json', `${JSON.stringify(reportJsonSchema(), undefined, 2)}\n`);
