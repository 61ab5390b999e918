import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Each file of these folders, with its source. Names are relative to the repository. */
function sourcesIn(...folders: readonly string[]): ReadonlyMap<string, string> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
  return new Map(files.sort().map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** What a file imports, types included: packages by name, own files by path. */
function importsOf(file: string, source: string): readonly string[] {
  const statements = [
    ...source.matchAll(/^(?:(?:import|export) .*?|\} )from '([^']+)'(?: with \{[^}]*\})?;$/gm),
    ...source.matchAll(/^import '([^']+)';$/gm),
    ...source.matchAll(/\bimport\('([^']+)'\)/g),
  ];
  const names = statements.map((statement) => statement[1] ?? '');
  return names.map((name) => (name.startsWith('.') ? join(dirname(file), name) : name));
}

const sources = sourcesIn('src');

/** `src/<folder>/...` belongs to its folder. A file directly in `src` belongs to none. */
const folderOf = (file: string): string | undefined => /^src\/([^/]+)\//.exec(file)?.[1];

/** The files with a line of code, comments aside, that matches. */
function filesWith(pattern: RegExp): readonly string[] {
  const isCode = (line: string) => line.replace(/\/\/.*$|^\s*\/?\*.*$/, '');
  return [...sources].flatMap(([file, source]) =>
    source.split('\n').some((line) => pattern.test(isCode(line))) ? [file] : [],
  );
}

/** From the ground up. A folder may import from its own layer and from those below it. */
// biome-ignore format: as many as fit on a line
const layers: readonly (readonly string[])[] = [
  ['util'], ['model'], ['kube', 'lock', 'methods'], ['policy', 'catalogue'], ['judge', 'plan', 'advice'],
  ['facts'], ['apply', 'report'], ['cli'],
];
const layerOf = (file: string) => layers.findIndex((layer) => layer.includes(folderOf(file) ?? ''));

describe('the layers', () => {
  it('include every folder', () => {
    expect([...sources.keys()].filter((file) => folderOf(file) && layerOf(file) < 0)).toEqual([]);
  });

  it('import only from layers below', () => {
    const upward = [...sources].flatMap(([file, source]) =>
      importsOf(file, source)
        .filter((from) => folderOf(file) && layerOf(from) > layerOf(file))
        .map((from) => `${file} imports ${from}`),
    );
    expect(upward).toEqual([]);
  });

  it('let only kube talk to the cluster', () => {
    const clients = /^(?:@kubernetes\/client-node|node:https?|node:http2|node:tls|ws|undici)(?:\/|$)/;
    const users = [...sources].filter(([file, source]) =>
      importsOf(file, source).some((from) => clients.test(from)),
    );
    expect([...new Set(users.map(([file]) => folderOf(file)))]).toEqual(['kube']);
  });

  it('let only cli read the process', () => {
    // The library reads the environment if its caller passes none. child_process cannot kill a process group. 'process.exit.code' is a field of records.
    const readers = filesWith(/\bprocess\.(?!kill\b|exit\.code')|'node:process'/);
    expect(readers.filter((file) => folderOf(file) !== 'cli')).toEqual(['src/index.ts', 'src/main.ts']);
  });

  it('let decisions know no clock, no timer, no randomness, and of Node only how paths are written', () => {
    const decisions = ['model', 'methods', 'policy', 'catalogue', 'judge', 'plan', 'advice'];
    const effects =
      /\bDate\.now\b|new Date\(\)|\bperformance\.|\bset(?:Timeout|Interval)\b|\bfetch\(|\bMath\.random\b|'node:(?!path\/posix')/;
    expect(filesWith(effects).filter((file) => decisions.includes(folderOf(file) ?? ''))).toEqual([]);
  });

  it('let only the edge of apply wait for anything', () => {
    const edge = ['apply', 'scheduler', 'send', 'poller'].map((name) => `src/apply/${name}.ts`);
    const waiting = filesWith(/\bawait\b|\basync\b|\bPromise\b|\.then\(/);
    expect(waiting.filter((file) => folderOf(file) === 'apply' && !edge.includes(file))).toEqual([]);
  });
});

it('no package is imported later by a name, which one in CommonJS does not have in the bundle', () => {
  expect(filesWith(/\} = await import\('[^.]/)).toEqual([]);
});

it('no file imports itself by way of others', () => {
  const all = sourcesIn('src', 'scripts');
  const circles: string[] = [];
  const finished = new Set<string>();
  function visit(file: string, path: readonly string[]): void {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    const source = all.get(file);
    if (source === undefined || finished.has(file) || path.includes(file)) return;
    for (const from of importsOf(file, source)) visit(from, [...path, file]);
    finished.add(file);
  }
  for (const file of all.keys()) visit(file, []);
  expect(circles).toEqual([]);
});
