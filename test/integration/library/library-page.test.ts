import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let folder: string;
let cluster: TestCluster;
let names: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-library-page-'));
  const page = await readFile(join(root, 'docs/library.md'), 'utf8');
  const snippets = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  names = snippets.map((_, index) => `snippet-${index}.mts`);
  await Promise.all(snippets.map((code, index) => writeFile(join(folder, `snippet-${index}.mts`), code)));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'nodenext',
    target: 'es2023',
    allowImportingTsExtensions: true,
    jsx: 'react-jsx',
    jsxImportSource: 'preact',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    paths: { 'sidecar-sweeper': [join(root, 'src/index.ts')] },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }));
  cluster = await TestCluster.start([stuckPod({ name: 'mail', namespace: 'billing' })]);
});
afterAll(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true });
});

async function run(program: string, ...argv: readonly string[]) {
  const env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: await cluster.kubeconfig() };
  const child = spawn(join(root, 'node_modules/.bin', program), argv, { cwd: folder, env });
  const [said, complaints, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { exitCode, said, complaints };
}

it('every snippet of docs/library.md compiles', async () => {
  expect(names.length).toBeGreaterThan(1);
  expect(await run('tsc', '--project', folder)).toEqual({ exitCode: 0, said: '', complaints: '' });
});

it('every snippet of docs/library.md runs, and the first one ends what is stuck', async () => {
  const said: string[] = [];
  for (const name of names) {
    const done = await run('tsx', '--tsconfig', join(folder, 'tsconfig.json'), join(folder, name));
    expect([name, done.exitCode, done.complaints]).toEqual([name, 0, '']);
    said.push(done.said);
  }
  expect(said[0]).toMatch(/^mail /);
  expect(cluster.emulator.requests.some(({ subresource }) => subresource === 'exec')).toBe(true);
});
