import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const emulator = 'test/emulator/';
const door = `${emulator}index.ts`;

/** By its path from the root, what each file of these folders says. */
const sources: ReadonlyMap<string, string> = new Map(
  ['test', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.m?[jt]s$/.test(file))
      .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), 'utf8')]),
  ),
);
const inside = [...sources.keys()].filter((file) => file.startsWith(emulator));
const outside = [...sources.keys()].filter((file) => !file.startsWith(emulator));

/** What a file names of the emulator, by a path relative to itself: in imports of all kinds, and in URLs. */
function reached(file: string, source = sources.get(file) ?? ''): readonly string[] {
  const relative = [...source.matchAll(/(['"`])(\.\.?\/.*?)\1/g)].map(([, , path = '']) => path);
  return relative
    .map((path) => normalize(join(dirname(file), path)))
    .filter((path) => `${path}/`.startsWith(emulator));
}

/** What of that lies past the door. */
function past(file: string, source?: string): readonly string[] {
  return reached(file, source)
    .filter((path) => path !== door)
    .map((path) => `${file} reaches ${path}`);
}

describe('the emulator is reached through its index.ts alone', () => {
  it('by every file outside its folder', () => {
    expect(outside.flatMap((file) => past(file))).toEqual([]);
  });

  it('and by no file inside, so that knip sees which of its exports nobody needs', () => {
    expect(inside.filter((file) => reached(file).includes(door))).toEqual([]);
  });
});

describe('what this test reads', () => {
  it('is all of test and bench', () => {
    expect(outside.length).toBeGreaterThan(200);
    expect(inside.length).toBeGreaterThan(100);
    const users = outside.filter((file) => reached(file).includes(door));
    expect(users.length).toBeGreaterThan(50);
    expect(users).toEqual(expect.arrayContaining(['bench/reads.ts', 'test/demo/main.ts']));
  });

  // Deeper than this file, so that what it says below leads nowhere from here.
  const sample = 'test/integration/emulator/sample.test.ts';

  it.each([
    `import { steppedClock } from '../../emulator/clock.ts';`,
    `import type { Pod } from "../../emulator/world/objects.ts";`,
    `import {\n  type Pod,\n} from '../../emulator/world/objects.ts';`,
    `import '../../emulator/main.ts';`,
    `export * from '../../emulator/world/../clock.ts';`,
    `const { createWorld } = await import('../../emulator/world/world.ts');`,
    'const program = new URL(`../../emulator/programs/vault`, import.meta.url);',
    `import { startEmulator } from '../../emulator';`,
  ])('would name the file that says %j', (source) => {
    expect(past(sample, source)).toHaveLength(1);
  });

  it.each([
    `import { startEmulator } from '../../emulator/index.ts';`,
    `import { stage } from './server/stage.ts';`,
    `import { clockOf } from '../../builders/stepped-clock.ts';`,
  ])('allows %j', (source) => {
    expect(past(sample, source)).toEqual([]);
  });
});
