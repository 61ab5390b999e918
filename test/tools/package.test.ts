import { type ExecFileException, execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { BEHAVIOUR_ANNOTATION } from '../kit/emulator/index.ts';
import { itUnless, missingPrograms } from '../kit/needs.ts';
import { temporaryFolder } from '../kit/started.ts';
import { container, stuckPod, TestCluster } from '../kit/stuck-pods.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = temporaryFolder('package');
const example = join(folder, 'example');
const tsc = join(root, 'node_modules', '.bin', 'tsc');
/** Where all that is tried here finds npm; no registry can be reached from it. */
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  npm_config_cache: join(folder, 'cache'),
  npm_config_offline: 'true',
};
let tarball: string;

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program as a user would, with nothing of this repository but the tarball. */
function run(
  program: string,
  args: readonly string[],
  {
    cwd = folder,
    more = {},
  }: { readonly cwd?: string; readonly more?: Readonly<Record<string, string>> } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { cwd, env: { ...env, ...more } },
      (error: ExecFileException | null, stdout: string, stderr: string) =>
        resolve({ exitCode: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

const succeeded = { exitCode: 0 };

beforeAll(async () => {
  expect(
    await run(process.execPath, ['--import', 'tsx', 'scripts/declarations.mjs'], { cwd: root }),
  ).toMatchObject(succeeded);
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
  });
  expect(packed).toMatchObject(succeeded);
  tarball = join(folder, `sidecar-sweeper-${version}.tgz`);
  cpSync(join(root, 'examples', 'library'), example, { recursive: true });
  // npm would look for them in a registry, even to leave them out.
  await run('npm', ['pkg', 'delete', 'devDependencies'], { cwd: example });
  expect(await run('npm', ['install', tarball], { cwd: example })).toMatchObject(succeeded);
});

const installed = join(example, 'node_modules', 'sidecar-sweeper');

async function filesIn(place: string): Promise<readonly string[]> {
  const entries = await readdir(join(installed, place), { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
}

describe('the tarball', () => {
  it('has what is needed and nothing else: no dependency, no test, no source', async () => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(dependencies).toEqual({});
    const packages = await readdir(join(example, 'node_modules'));
    expect(packages.filter((name) => !name.startsWith('.'))).toEqual(['sidecar-sweeper']);
    // biome-ignore format: as many as fit on a line
    expect((await readdir(installed)).sort()).toEqual([
      'CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'examples', 'package.json',
    ]);
    const code = (await filesIn('')).filter((file) => /\.(?:ts|js)$/.test(file) && !file.endsWith('.d.ts'));
    const examples = join(installed, 'examples');
    expect(code.filter((file) => !file.startsWith(examples))).toEqual([]);
  });

  it('imports only itself and Node, and mentions no other package in its types', async () => {
    const declarations = (await filesIn('dist')).filter((file) => file.endsWith('.d.ts'));
    expect(declarations.length).toBeGreaterThan(2);
    for (const file of declarations) {
      const from = [...(await readFile(file, 'utf8')).matchAll(/\b(?:from|import\()\s*'([^']+)'/g)];
      expect(from.flatMap(([, name = '']) => (name.startsWith('.') ? [] : [name]))).toEqual([]);
    }
  });

  it('carries the licence of each package in the bundle', async () => {
    const notices = await readFile(join(installed, 'dist', 'THIRD-PARTY.md'), 'utf8');
    for (const name of ['@bufbuild/protobuf', 'commander', 'winston', 'ws', 'zod']) {
      expect(notices).toMatch(new RegExp(`^## ${name} .*\\n\\n\`\`\`\`text\\n`, 'm'));
    }
    expect(notices).not.toMatch(/^## .*\n\n(?!````text)/m);
  });

  it('has nothing that publint finds wrong', async () => {
    const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });
});

describe('the example of the library', () => {
  it('compiles with the types of the package alone, checked as well, and so does the page about the library', async () => {
    const page = await readFile(join(installed, 'examples', 'library', 'README.md'), 'utf8');
    const [, snippet = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(page) ?? [];
    expect(snippet).toContain('await sweep(');
    await writeFile(join(example, 'snippet.ts'), snippet);
    const types = ['--typeRoots', join(root, 'node_modules', '@types'), '--skipLibCheck', 'false'];
    expect(await run(tsc, ['-p', example, ...types])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('ends its agent in a cluster', async () => {
    const agent = container('agent', { image: 'docker.io/acme/agent:1' });
    const quits = { shell: false, quit: { port: 15_020, path: '/quitquitquit', exitCode: 0 } };
    const cluster = await TestCluster.start([
      stuckPod({
        name: 'export',
        namespace: 'billing',
        metadata: { annotations: { [BEHAVIOUR_ANNOTATION]: JSON.stringify({ agent: quits }) } },
        spec: { containers: [container('main'), agent] },
        states: { agent: { kind: 'running', startedAt: new Date(Date.now() - 7_200_000) } },
      }),
    ]);
    try {
      const more = { KUBECONFIG: await cluster.kubeconfig() };
      const planned = 'agent: POST localhost:15020/quitquitquit, then signal TERM, then signal KILL';
      expect(await run(process.execPath, ['sweep.js', 'billing'], { cwd: example, more })).toEqual({
        exitCode: 0,
        stdout: `export: ${planned}\nexport: Ended\n`,
        stderr: '',
      });
      // By now, there is nothing left for the program of the page.
      expect(await run(process.execPath, ['snippet.js'], { cwd: example, more })).toMatchObject(succeeded);
    } finally {
      await cluster.stop();
    }
  });
});

describe('the command', () => {
  const answered = { exitCode: 0, stdout: `${version}\n` };
  const prefix = join(folder, 'global');

  it('is there after npm install --global', async () => {
    expect(await run('npm', ['install', '--global', '--prefix', prefix, tarball])).toMatchObject(succeeded);
    expect(await run(join(prefix, 'bin', 'sidecar-sweeper'), ['--version'])).toMatchObject(answered);
  });

  itUnless(missingPrograms('kubectl'), 'is then a plugin of kubectl', async () => {
    const more = { PATH: [join(prefix, 'bin'), env.PATH].join(delimiter) };
    expect(await run('kubectl', ['sweep-sidecars', '--version'], { more })).toMatchObject(answered);
  });

  itUnless(missingPrograms('kubectl', 'tar'), 'is a plugin of kubectl, as krew installs it', async () => {
    const archive = mkdtempSync(join(folder, 'archive-'));
    const store = mkdtempSync(join(folder, 'store-'));
    const bin = mkdtempSync(join(folder, 'bin-'));
    expect(await run('tar', ['-xzf', tarball, '-C', archive])).toMatchObject(succeeded);
    const manifest = parse(readFileSync(join(root, 'manifests/krew/sweep-sidecars.yaml'), 'utf8'));
    const [platform] = manifest.spec.platforms;
    for (const { from, to } of platform.files) moveAsKrew(join(archive, from), join(store, to));
    symlinkSync(join(store, platform.bin), join(bin, 'kubectl-sweep_sidecars'));
    const more = { PATH: [bin, env.PATH].join(delimiter) };
    expect(await run('kubectl', ['sweep-sidecars', '--version'], { more })).toMatchObject(answered);
    expect((await run('kubectl', ['sweep-sidecars', 'profiles', '-o', 'name'], { more })).exitCode).toBe(0);
  });
});

/** Folders move as well: https://github.com/kubernetes-sigs/krew/blob/master/internal/installation/move.go */
function moveAsKrew(from: string, to: string): void {
  const names = basename(from) === '*' ? readdirSync(dirname(from)) : [basename(from)];
  if (names.length === 0) throw new Error(`no files in the plugin archive matched ${from}`);
  mkdirSync(to, { recursive: true });
  for (const name of names) renameSync(join(dirname(from), name), join(to, name));
}
