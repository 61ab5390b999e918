// Writes dist/types: what TypeScript needs to know of the library. The types of the contract are generated from the schemas, so
// that they need no other package.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod';
import { jsonSchemas } from '../src/report/json-schema.ts';
import { declareType } from './type-of-schema.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const contract = 'library/contract.d.ts';

const emitted = await mkdtemp(join(tmpdir(), 'declarations-'));
const types = join(root, 'dist', 'types');
try {
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  execFileSync(tsc, ['-p', join(root, 'build'), '--outDir', emitted], { stdio: 'inherit' });
  await rm(types, { recursive: true, force: true });
  await ship('index.d.ts', new Set());
} finally {
  await rm(emitted, { recursive: true });
}

/** Ships a file, and all that it imports. */
async function ship(file: string, shipped: Set<string>): Promise<void> {
  if (shipped.has(file)) return;
  shipped.add(file);
  const source = file === contract ? declareContract() : await readFile(join(emitted, file), 'utf8');
  const target = join(types, file);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, source.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  for (const [, from = ''] of source.matchAll(/ from '([^']+)'/g)) {
    if (!from.startsWith('.')) throw new Error(`${file} needs the package ${from}, which is not shipped`);
    await ship(join(dirname(file), from).replace(/\.ts$/, '.d.ts'), shipped);
  }
}

/** The documents that are written and read, and their parts. */
function declareContract(): string {
  const { 'sweep-report': report, 'sweep-policy': policy } = jsonSchemas();
  const documents = [report, policy].map((schema) => schema as z.core.JSONSchema.BaseSchema);
  const parts = documents.flatMap(({ title, $defs, ...schema }) => [
    [String(title), schema] as const,
    ...Object.entries($defs ?? {}),
  ]);
  return `${parts.map(([name, schema]) => declareType(name, schema)).join('\n\n')}\n`;
}
