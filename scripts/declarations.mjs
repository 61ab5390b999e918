// Writes dist/types, the declarations of the library. The types of documents are generated from the schemas, so that they need
// no other package.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';
import { jsonSchemas } from '../src/report/json-schema.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const contract = 'report/documents.d.ts';

const emitted = await mkdtemp(join(tmpdir(), 'declarations-'));
const types = join(root, 'dist', 'types');
try {
  const flags =
    '--ignoreConfig --declaration --emitDeclarationOnly --skipLibCheck --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes ' +
    '--target es2023 --module nodenext --types node --allowImportingTsExtensions --rootDir src';
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const args = [...flags.split(' '), '--outDir', emitted, 'src/index.ts'];
  execFileSync(tsc, args, { cwd: root, stdio: 'inherit' });
  await rm(types, { recursive: true, force: true });
  await ship('index.d.ts', new Set());
} finally {
  await rm(emitted, { recursive: true });
}

/** Ships a file, and all that it imports. */
async function ship(file, shipped) {
  if (shipped.has(file)) return;
  shipped.add(file);
  const source = file === contract ? await declareDocuments() : await readFile(join(emitted, file), 'utf8');
  const target = join(types, file);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, source.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  for (const [, from = ''] of source.matchAll(/ from '([^']+)'/g)) {
    if (!from.startsWith('.')) throw new Error(`${file} needs the package ${from}, which is not shipped`);
    await ship(join(dirname(file), from).replace(/\.ts$/, '.d.ts'), shipped);
  }
}

/** The documents that are written and read, and their parts. */
async function declareDocuments() {
  const { 'sweep-report': report, 'sweep-policy': policy } = jsonSchemas();
  const $defs = Object.fromEntries(
    [report, policy].flatMap(({ $id: _, $schema: __, title, $defs, ...schema }) => [
      [title, schema],
      ...Object.entries($defs ?? {}),
    ]),
  );
  const declared = await compile({ type: 'object', properties: {}, $defs }, 'Documents', {
    additionalProperties: false,
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
  });
  return declared.replaceAll(/ \*\n \* This interface was referenced by [^\n]*\n \* via the [^\n]*\n/g, '');
}
