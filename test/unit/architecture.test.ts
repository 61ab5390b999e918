import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..', 'src');

const files: readonly string[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
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

/** Whether it is a file of ours that is imported, not a package. */
const isOwn = (from: string) => /\.tsx?$/.test(from);

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
    expect(filesSaying(/\bimport\(/)).toEqual([
      'cli/commands/advise.ts',
      'cli/commands/check-access.ts',
      'cli/commands/completion.ts',
      'cli/commands/explain.ts',
      'cli/commands/profiles.ts',
      'cli/commands/report.ts',
      'cli/commands/scan.ts',
      'cli/commands/sweep.ts',
      'cli/commands/validate.ts',
      'cli/main.ts',
      'cli/runs/report.ts',
      'cli/with-cluster.ts',
      'kube/cluster.ts',
    ]);
  });

  it('is made of files that are there', () => {
    const own = files.flatMap((file) => importsOf(file)).filter(isOwn);
    expect(own.filter((from) => !files.includes(from))).toEqual([]);
  });
});

describe('a package is known in one place only:', () => {
  it('what speaks to a cluster under kube/', () => {
    const stages = new Set(importersOf('@kubernetes/client-node', 'node:https', 'ws').map(stageOf));
    expect([...stages]).toEqual(['kube']);
  });

  it('commander under cli/', () => {
    const stages = new Set(importersOf('commander').map(stageOf));
    expect([...stages]).toEqual(['cli']);
  });

  it('zod where something is read from files or written to them', () => {
    const stages = new Set(importersOf('zod').map(stageOf));
    expect([...stages].sort()).toEqual([
      'advise',
      'fields.ts',
      'library',
      'methods',
      'pod',
      'policy',
      'report',
      'vocabulary',
    ]);
  });

  it.each([
    'luxon',
    'p-limit',
    'winston',
    'ora',
    'fast-string-width',
    'fast-wrap-ansi',
    'prom-client',
    'preact-render-to-string',
  ])('%s', (name) => {
    expect(importersOf(name)).toHaveLength(1);
  });
});

describe('the pure parts', () => {
  const pure = files.filter(
    (file) =>
      ['pod', 'methods', 'policy', 'judge', 'plan', 'advise', 'report', 'history', 'vocabulary'].includes(
        stageOf(file),
      ) ||
      [
        'defaults.ts',
        'duration.ts',
        'events.ts',
        'label-selector.ts',
        'printable.ts',
        'ports.ts',
        'apply/attempts.ts',
        'apply/conclude.ts',
        'apply/course.ts',
        'apply/guard/key.ts',
        'apply/held.ts',
        'apply/taken.ts',
        'apply/wait/observation.ts',
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

it('the process is read in cli/ alone; the library reads its environment unless it is given one', () => {
  // To kill a process group is no reading, and child_process cannot.
  const readers = filesSaying(/\bprocess\.(?!kill\b)|'node:process'/);
  expect(readers).toContain('cli/main.ts');
  expect(readers.filter((file) => stageOf(file) !== 'cli')).toEqual(['library/cluster.ts']);
});

/** From the ground up: what stands on a floor imports only from the floors below it. */
const floors: readonly (readonly string[])[] = [
  [
    'defaults.ts',
    'duration.ts',
    'fields.ts',
    'interned.ts',
    'label-selector.ts',
    'nearest.ts',
    'on-abort.ts',
    'printable.ts',
    'readable-login.ts',
    'usage-error.ts',
    'version.ts',
    'yaml.ts',
  ],
  ['fault.ts', 'vocabulary'],
  ['every-page.ts', 'leases.ts', 'origins.ts', 'pod', 'requests.ts', 'unreadable.ts'],
  ['ports.ts'],
  ['clock.ts', 'fresh.ts', 'patience.ts'],
  ['kube', 'lock', 'methods', 'slots.ts', 'turns.ts'],
  ['policy'],
  ['advise', 'judge', 'plan'],
  ['events.ts'],
  ['faultless.ts', 'gather', 'report'],
  ['apply', 'check-access.ts', 'history', 'look.ts', 'metrics', 'prepare.ts'],
  ['explain.ts', 'scan.ts', 'sweep.ts'],
  ['advise-from.ts', 'advise.ts'],
  ['cli', 'library'],
  ['index.ts'],
];

/** What each imports of the others: no arrow that is not here, and none here that is not used. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  'fault.ts': ['printable.ts'],
  vocabulary: ['duration.ts', 'fields.ts'],
  pod: ['vocabulary'],
  'leases.ts': ['duration.ts', 'vocabulary'],
  'origins.ts': ['vocabulary'],
  'requests.ts': ['duration.ts'],
  'every-page.ts': ['vocabulary'],
  'ports.ts': ['duration.ts', 'leases.ts', 'requests.ts', 'vocabulary'],
  'clock.ts': ['duration.ts', 'on-abort.ts', 'ports.ts'],
  'fresh.ts': ['duration.ts', 'ports.ts'],
  'patience.ts': ['duration.ts', 'ports.ts'],
  kube: [
    'clock.ts',
    'duration.ts',
    'every-page.ts',
    'fresh.ts',
    'interned.ts',
    'label-selector.ts',
    'on-abort.ts',
    'origins.ts',
    'patience.ts',
    'ports.ts',
    'printable.ts',
    'readable-login.ts',
    'unreadable.ts',
    'usage-error.ts',
    'version.ts',
    'vocabulary',
    'yaml.ts',
  ],
  'unreadable.ts': ['usage-error.ts'],
  lock: ['duration.ts', 'on-abort.ts', 'patience.ts', 'ports.ts', 'vocabulary'],
  methods: ['duration.ts', 'pod', 'ports.ts', 'printable.ts', 'usage-error.ts', 'vocabulary'],
  'slots.ts': ['ports.ts'],
  policy: [
    'defaults.ts',
    'duration.ts',
    'label-selector.ts',
    'methods',
    'nearest.ts',
    'pod',
    'usage-error.ts',
    'vocabulary',
    'yaml.ts',
  ],
  advise: ['duration.ts', 'fields.ts', 'origins.ts', 'pod', 'policy', 'vocabulary'],
  judge: ['duration.ts', 'fault.ts', 'pod', 'policy', 'vocabulary'],
  plan: ['duration.ts', 'interned.ts', 'methods', 'pod', 'policy', 'vocabulary'],
  'events.ts': ['duration.ts', 'fault.ts', 'plan', 'policy', 'vocabulary'],
  'faultless.ts': ['events.ts', 'fault.ts', 'ports.ts', 'vocabulary'],
  gather: [
    'advise',
    'duration.ts',
    'events.ts',
    'every-page.ts',
    'judge',
    'methods',
    'origins.ts',
    'plan',
    'pod',
    'policy',
    'ports.ts',
    'turns.ts',
    'vocabulary',
  ],
  report: [
    'advise',
    'duration.ts',
    'events.ts',
    'fault.ts',
    'fields.ts',
    'methods',
    'plan',
    'pod',
    'policy',
    'printable.ts',
    'vocabulary',
  ],
  apply: [
    'duration.ts',
    'events.ts',
    'fault.ts',
    'fresh.ts',
    'gather',
    'judge',
    'methods',
    'on-abort.ts',
    'patience.ts',
    'plan',
    'pod',
    'policy',
    'ports.ts',
    'slots.ts',
    'vocabulary',
  ],
  'check-access.ts': ['gather', 'methods', 'policy', 'ports.ts', 'report', 'slots.ts', 'vocabulary'],
  history: ['duration.ts', 'methods', 'report', 'vocabulary'],
  'look.ts': ['duration.ts', 'events.ts', 'gather', 'judge', 'policy', 'ports.ts', 'turns.ts', 'vocabulary'],
  metrics: ['duration.ts', 'printable.ts', 'report', 'vocabulary'],
  'prepare.ts': [
    'duration.ts',
    'events.ts',
    'fault.ts',
    'gather',
    'plan',
    'policy',
    'ports.ts',
    'turns.ts',
    'vocabulary',
  ],
  'explain.ts': [
    'defaults.ts',
    'events.ts',
    'fault.ts',
    'gather',
    'judge',
    'pod',
    'policy',
    'ports.ts',
    'prepare.ts',
    'report',
    'slots.ts',
    'vocabulary',
  ],
  'scan.ts': [
    'events.ts',
    'faultless.ts',
    'gather',
    'look.ts',
    'ports.ts',
    'report',
    'slots.ts',
    'vocabulary',
  ],
  'advise-from.ts': ['advise', 'gather', 'origins.ts', 'policy', 'report', 'slots.ts'],
  'advise.ts': [
    'advise',
    'events.ts',
    'faultless.ts',
    'gather',
    'look.ts',
    'origins.ts',
    'ports.ts',
    'report',
    'scan.ts',
    'slots.ts',
  ],
  'sweep.ts': [
    'apply',
    'events.ts',
    'faultless.ts',
    'gather',
    'look.ts',
    'methods',
    'plan',
    'policy',
    'ports.ts',
    'prepare.ts',
    'slots.ts',
    'vocabulary',
  ],
  cli: [
    'advise-from.ts',
    'advise.ts',
    'check-access.ts',
    'clock.ts',
    'defaults.ts',
    'duration.ts',
    'events.ts',
    'every-page.ts',
    'explain.ts',
    'fault.ts',
    'gather',
    'history',
    'kube',
    'label-selector.ts',
    'lock',
    'methods',
    'metrics',
    'nearest.ts',
    'on-abort.ts',
    'origins.ts',
    'pod',
    'policy',
    'ports.ts',
    'printable.ts',
    'readable-login.ts',
    'report',
    'scan.ts',
    'slots.ts',
    'sweep.ts',
    'unreadable.ts',
    'usage-error.ts',
    'version.ts',
    'vocabulary',
  ],
  library: [
    'clock.ts',
    'defaults.ts',
    'duration.ts',
    'events.ts',
    'fault.ts',
    'gather',
    'kube',
    'methods',
    'on-abort.ts',
    'plan',
    'pod',
    'policy',
    'report',
    'requests.ts',
    'sweep.ts',
    'usage-error.ts',
    'version.ts',
    'vocabulary',
  ],
  'index.ts': ['library', 'requests.ts', 'usage-error.ts'],
};

describe('the floors', () => {
  const floorOf = (stage: string) => floors.findIndex((floor) => floor.includes(stage));
  const stages = [...new Set(files.map(stageOf))];
  const drawn = new Map(
    stages.map((stage) => {
      const own = files.filter((file) => stageOf(file) === stage).flatMap(importsOf);
      const others = own.filter(isOwn).map(stageOf);
      return [stage, [...new Set(others)].filter((from) => from !== stage).sort()];
    }),
  );

  it('hold every file', () => {
    expect(stages.filter((stage) => floorOf(stage) < 0)).toEqual([]);
    expect(floors.flat().filter((stage) => !stages.includes(stage))).toEqual([]);
  });

  it.each(stages)('%s stands on floors below it alone', (stage) => {
    const upward = drawn.get(stage)?.filter((from) => floorOf(from) >= floorOf(stage));
    expect(upward).toEqual([]);
  });

  it.each(stages)('%s imports what it is said to import, and nothing else', (stage) => {
    expect(drawn.get(stage)).toEqual([...(arrows[stage] ?? [])].sort());
  });
});

it('no file imports itself by way of others', () => {
  const cycles: string[] = [];
  const finished = new Set<string>();
  function visit(file: string, path: readonly string[]): void {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (finished.has(file) || path.includes(file)) return;
    for (const from of importsOf(file)) if (isOwn(from)) visit(from, [...path, file]);
    finished.add(file);
  }
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

describe('a file', () => {
  it('is named for what it holds, never for being shared', () => {
    const vague = /^(?:utils?|common|helpers?|misc|shared|constants?)$/;
    const segments = files.flatMap((file) =>
      file.split('/').map((segment) => segment.replace(/\.tsx?$/, '')),
    );
    expect(segments.filter((segment) => vague.test(segment))).toEqual([]);
  });

  it('is named in kebab-case', () => {
    expect(files.filter((file) => !/^(?:[a-z-]+\/)*[a-z-]+\.tsx?$/.test(file))).toEqual([]);
  });

  it('is short; only the schema of the report may be longer than 250 lines', () => {
    const long = files.filter((file) => (sources.get(file) ?? '').split('\n').length > 251);
    expect(long.filter((file) => file !== 'report/schema.ts')).toEqual([]);
  });

  it('exports by name', () => {
    expect(filesSaying(/^export default\b/)).toEqual([]);
  });
});
