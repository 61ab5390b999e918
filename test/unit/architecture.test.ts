import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..', 'src');

const files: readonly string[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort();

const sources: ReadonlyMap<string, string> = new Map(
  files.map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);

/** What each file imports, types as well: packages by their name, own files by their path below src. */
const imports: ReadonlyMap<string, readonly string[]> = new Map(
  [...sources].map(([file, source]) => {
    const statements = [
      ...source.matchAll(/^(?:(?:import|export) .*?|\} )from '([^']+)'(?: with \{[^}]*\})?;$/gm),
      ...source.matchAll(/\bawait import\('([^']+)'\)/g),
    ];
    const named = statements.map((statement) => statement[1] ?? '');
    return [file, named.map((from) => (from.startsWith('.') ? normalize(join(dirname(file), from)) : from))];
  }),
);

function importsOf(file: string): readonly string[] {
  return imports.get(file) ?? [];
}

/** The files that import one of these packages, or a part of it. */
function importersOf(...packages: readonly string[]): readonly string[] {
  const isOf = (from: string) => packages.some((name) => from === name || from.startsWith(`${name}/`));
  return files.filter((file) => importsOf(file).some(isOf));
}

/** Where a file belongs in the pipeline: its folder, or itself at the top. */
function stageOf(file: string): string {
  return file.split('/')[0] ?? file;
}

/** The files of which a line of code, not of comment, says this. */
function filesSaying(word: RegExp): readonly string[] {
  return files.filter((file) =>
    (sources.get(file) ?? '').split('\n').some((line) => word.test(line.replace(/\/\/.*$|^\s*\/?\*.*$/, ''))),
  );
}

describe('what this test reads', () => {
  it('is all of src, every import of it', () => {
    expect(files).toContain('sweep.ts');
    expect(files.length).toBeGreaterThan(35);
    const seen = files.flatMap((file) => importsOf(file)).length;
    const written = [...sources.values()].flatMap(
      (source) => source.match(/\bfrom '|^import '|\bimport\(/gm) ?? [],
    ).length;
    expect(seen).toBe(written);
    expect(filesSaying(/\brequire\(/)).toEqual([]);
    // What takes long to load, and only some commands need.
    expect(filesSaying(/\bimport\(/)).toEqual(['cli/connect.ts']);
  });

  it('is made of files that are there', () => {
    const own = files.flatMap((file) => importsOf(file)).filter((from) => from.endsWith('.ts'));
    expect(own.filter((from) => !files.includes(from))).toEqual([]);
  });
});

describe('a package is known in one place only:', () => {
  it('what speaks to a cluster under kube/', () => {
    const stages = new Set(importersOf('@kubernetes/client-node', 'undici', 'ws').map(stageOf));
    expect([...stages]).toEqual(['kube']);
  });

  it('commander under cli/', () => {
    const stages = new Set(importersOf('commander').map(stageOf));
    expect([...stages]).toEqual(['cli']);
  });

  it('zod where something is read from files or written to them', () => {
    const stages = new Set(importersOf('zod').map(stageOf));
    expect([...stages].sort()).toEqual(['policy', 'report']);
  });

  it.each(['luxon', 'p-limit', 'winston', 'ora', 'cli-table3', 'prom-client'])('%s', (name) => {
    expect(importersOf(name)).toHaveLength(1);
  });
});

describe('the pure parts', () => {
  const pure = files.filter(
    (file) =>
      ['judge', 'plan', 'report', 'policy'].includes(stageOf(file)) ||
      [
        'vocabulary.ts',
        'ports.ts',
        'printable.ts',
        'apply/advance.ts',
        'apply/conclude.ts',
        'apply/observation.ts',
      ].includes(file),
  );

  it('import nothing of Node, but for the colours of a table', () => {
    const importers = pure.flatMap((file) =>
      importsOf(file).flatMap((from) => (from.startsWith('node:') ? [`${file} ${from}`] : [])),
    );
    expect(importers).toEqual(['report/columns.ts node:util']);
  });

  it('know no cluster, no clock and no timer', () => {
    const word =
      /\bDate\.now\b|new Date\(\)|\bperformance\.|\bsetTimeout\b|\bsetInterval\b|\bfetch\(|\bMath\.random\b/;
    expect(pure.filter((file) => filesSaying(word).includes(file))).toEqual([]);
    expect(pure.filter((file) => importsOf(file).some((from) => stageOf(from) === 'kube'))).toEqual([]);
  });
});

it('the process is read in cli/ alone', () => {
  const readers = filesSaying(/\bprocess\.|'node:process'/);
  expect(readers).toContain('cli/main.ts');
  expect(readers.filter((file) => stageOf(file) !== 'cli')).toEqual([]);
});

/** Which stages each stage may import; `vocabulary.ts` and `ports.ts` are everybody's. */
const directions: Readonly<Record<string, readonly string[]>> = {
  'vocabulary.ts': ['policy/rules.ts', 'policy/steps.ts', 'report/schema.ts'],
  'ports.ts': [],
  'version.ts': [],
  'printable.ts': [],
  policy: [],
  judge: ['policy'],
  plan: ['policy', 'judge'],
  methods: [],
  gather: ['judge'],
  apply: ['judge', 'gather', 'methods', 'plan'],
  report: ['policy', 'plan', 'printable.ts'],
  metrics: ['printable.ts', 'report'],
  lock: [],
  kube: ['printable.ts', 'version.ts'],
  'look.ts': ['judge', 'gather'],
  'check-access.ts': ['apply', 'methods', 'plan', 'report'],
  'scan.ts': ['gather', 'look.ts', 'apply', 'report'],
  'explain.ts': ['gather', 'judge', 'plan', 'report'],
  'sweep.ts': ['policy', 'gather', 'look.ts', 'plan', 'apply', 'report'],
  'index.ts': ['kube', 'policy', 'report', 'sweep.ts'],
  cli: [
    'kube',
    'lock',
    'metrics',
    'policy',
    'plan',
    'methods',
    'report',
    'check-access.ts',
    'explain.ts',
    'scan.ts',
    'sweep.ts',
    'printable.ts',
    'version.ts',
  ],
};

it.each([...new Set(files.map(stageOf))])('%s imports only what comes before it', (stage) => {
  const ground = ['vocabulary.ts', 'ports.ts', 'duration.ts', 'usage-error.ts'];
  const allowed = [stage, ...ground, ...(directions[stage] ?? [])];
  const wrong = files
    .filter((file) => stageOf(file) === stage)
    .flatMap((file) =>
      importsOf(file)
        .filter((from) => from.endsWith('.ts') && !allowed.includes(stageOf(from)) && !allowed.includes(from))
        .map((from) => `${file} -> ${from}`),
    );
  expect(wrong).toEqual([]);
});

it('no file imports itself by way of others', () => {
  const cycles: string[] = [];
  const finished = new Set<string>();
  function visit(file: string, path: readonly string[]): void {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (finished.has(file) || path.includes(file)) return;
    for (const from of importsOf(file)) if (from.endsWith('.ts')) visit(from, [...path, file]);
    finished.add(file);
  }
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

describe('a file', () => {
  it('is named for what it holds, never for being shared', () => {
    const vague = /^(?:utils?|common|helpers?|misc|shared|constants?)$/;
    const segments = files.flatMap((file) => file.split('/').map((segment) => basename(segment, '.ts')));
    expect(segments.filter((segment) => vague.test(segment))).toEqual([]);
  });

  it('is named in kebab-case', () => {
    expect(files.filter((file) => !/^(?:[a-z-]+\/)*[a-z-]+\.ts$/.test(file))).toEqual([]);
  });

  it('is short; only the glossary of types and the schema of the report may be longer than 250 lines', () => {
    const long = files.filter((file) => (sources.get(file) ?? '').split('\n').length > 251);
    expect(
      long.filter((file) => !['vocabulary.ts', 'report/schema.ts', 'policy/catalogue.ts'].includes(file)),
    ).toEqual([]);
  });

  it('exports by name', () => {
    expect(filesSaying(/^export default\b/)).toEqual([]);
  });
});
