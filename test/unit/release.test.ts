import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, '.github', 'workflows');
const files = readdirSync(folder);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string }[];
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
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
  const publishing = ['images: id-token', 'images: packages', 'package: contents', 'package: id-token'];
  expect(granted.sort()).toEqual(['analyze: security-events', ...publishing]);
});

it('a release publishes nothing unless .ci/run has passed', () => {
  const { test, images, package: published } = (parse(read('release.yml')) as Workflow).jobs;
  expect(test?.steps.at(-1)?.run).toMatch(/\.ci\/run$/);
  expect([images?.needs, published?.needs]).toEqual(['test', 'images']);
});

it('the plugin that krew installs is the published package, by the name that kubectl looks for', () => {
  const { metadata, spec } = parse(readFileSync(join(root, 'manifests/krew/sweep-sidecars.yaml'), 'utf8'));
  const { version, bin, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(spec.version).toBe(`v${version}`);
  // kubectl reads an underscore as a dash.
  expect(bin).toHaveProperty(`kubectl-${metadata.name.replaceAll('-', '_')}`, 'dist/sidecar-sweeper.mjs');
  expect(spec.shortDescription.length).toBeLessThanOrEqual(50);
  for (const { uri, sha256, bin: file, files } of spec.platforms) {
    expect(uri).toContain(`/v${version}/sidecar-sweeper-${version}.tgz`);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(file).toBe('dist/sidecar-sweeper.mjs');
    expect(files).toContainEqual({ from: 'package/dist/*', to: 'dist' });
  }
  expect(spec.caveats).toContain(engines.node.replace('>=', ''));
});
