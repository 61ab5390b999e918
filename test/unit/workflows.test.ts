import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '..', '..', '.github', 'workflows');
const files = readdirSync(folder);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly needs?: string;
        readonly permissions?: Readonly<Record<string, string>>;
        readonly steps: readonly { readonly run?: string }[];
      }
    >
  >;
}

describe.each(files)('%s', (file) => {
  const workflow: Workflow = parse(read(file));

  it('pins every action to a commit', () => {
    const uses = read(file).match(/uses:.*/g) ?? [];
    expect(uses.filter((line) => !/^uses: [\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v[\d.]+$/.test(line))).toEqual([]);
  });

  it('grants nothing but reading unless a job asks for more', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });
});

it('only the jobs that publish, sign or report findings may write', () => {
  const granted = files.flatMap((file) =>
    Object.entries((parse(read(file)) as Workflow).jobs).flatMap(([job, { permissions = {} }]) =>
      Object.entries(permissions).flatMap(([what, access]) => (access === 'write' ? `${job}: ${what}` : [])),
    ),
  );
  expect(granted.sort()).toEqual([
    'analyze: security-events',
    'images: id-token',
    'images: packages',
    'package: contents',
    'package: id-token',
  ]);
});

it('a release publishes nothing unless .ci/run has passed', () => {
  const { test, images, package: published } = (parse(read('release.yml')) as Workflow).jobs;
  expect(test?.steps.at(-1)?.run).toMatch(/\.ci\/run$/);
  expect([images?.needs, published?.needs]).toEqual(['test', 'images']);
});
