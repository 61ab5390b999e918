import { build } from 'esbuild';
import { expect, it } from 'vitest';

const schemas = [
  ...['job', 'outcome', 'schema', 'step', 'verdict', 'warning'].map((name) => `src/model/${name}.ts`),
  'src/report/schema.ts',
  'src/report/scan-schema.ts',
];

const entries = ['src/cli/program.ts', 'src/cli/commands/scan.ts', 'src/cli/commands/sweep.ts'];

const { outputs } = (
  await build({
    entryPoints: entries,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    outdir: 'nowhere',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
).metafile;

it.each(entries)('%s does not load the schemas of reports, which take longest to make', (entry) => {
  const loaded = loadedBy(entry);
  expect(loaded.length).toBeGreaterThan(20);
  expect(loaded.filter((file) => schemas.includes(file))).toEqual([]);
});

it('help loads no zod', () => {
  expect(loadedBy('src/cli/program.ts').filter((file) => file.includes('/zod/'))).toEqual([]);
});

/** The files whose code is executed before the first line of this one. */
function loadedBy(entry: string): readonly string[] {
  const first = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entry);
  const chunks = first === undefined ? [] : importedBy(first, new Set());
  return chunks.flatMap((path) =>
    Object.entries(outputs[path]?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [file] : [],
    ),
  );
}

function importedBy(path: string, seen: Set<string>): readonly string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const imports = outputs[path]?.imports ?? [];
  const others = imports.flatMap((one) => (one.kind === 'import-statement' ? [one.path] : []));
  return [path, ...others.flatMap((other) => importedBy(other, seen))];
}
