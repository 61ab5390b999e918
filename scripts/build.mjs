// Bundles everything into one folder, which needs no packages: the command and the library. A command's code is in files of
// its own, so that only what a command needs is loaded.
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
const reasons = await readFile(new URL('../docs/reasons.md', import.meta.url), 'utf8');

/** What KubeConfig would send requests with, and we do not: 0.9 MB, 13 MB of memory and 50 ms of every start. */
const unused = /^(?:hpagent|jsonpath-plus|openid-client|socks-proxy-agent|undici)$/;

/** What KubeConfig takes from the generated code. */
const generated = `
  export { createConfiguration } from './configuration.js';
  export { ServerConfiguration } from './servers.js';
`;

/** Bundles client-node without that, and without the hundreds of models that KubeConfig does not need. */
const slimClientNode = {
  name: 'slim-client-node',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: unused }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }));
    // Through the index, KubeConfig would load all models, which only typed calls need.
    onLoad({ filter: /client-node\/dist\/gen\/index\.js$/ }, () => ({ contents: generated }));
    onResolve({ filter: /^@kubernetes\/client-node/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === 'resolving') return;
      const found = await resolve(path, { kind, resolveDir, pluginData: 'resolving' });
      return { ...found, sideEffects: false };
    });
    // Asking esbuild to resolve a thousand models takes ten seconds.
    onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
      if (!resolveDir.includes('@kubernetes/client-node')) return;
      return { path: join(resolveDir, path), sideEffects: false };
    });
  },
};

/** As an ES module, node:http loads undici for its WebSocket: 7 MB of memory (Node 22 and later). */
const lazyHttp = {
  name: 'lazy-http',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:http$/ }, ({ path }) => ({ path, namespace: 'lazy' }));
    onLoad({ filter: /.*/, namespace: 'lazy' }, () => ({ contents: "module.exports = require('http')" }));
  },
};

await rm('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { 'sidecar-sweeper': 'src/main.ts', index: 'src/index.ts' },
  metafile: true,
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  bundle: true,
  // Not the identifiers: stacks name functions, and to keep names otherwise costs a call for every closure that is made.
  minifyWhitespace: true,
  minifySyntax: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  legalComments: 'none',
  define: { __VERSION__: JSON.stringify(version), __REASONS__: JSON.stringify(reasons) },
  // CommonJS dependencies (ws, winston) use what ES modules do not have.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url), __filename = import.meta.filename;",
  },
  plugins: [slimClientNode, lazyHttp],
  logLevel: 'warning',
});
await chmod('dist/sidecar-sweeper.mjs', 0o755);
await writeSchemas();
await writeFile('dist/THIRD-PARTY.md', await noticesOf(Object.keys(metafile.inputs)));

/** The JSON Schemas of all documents, as the command prints them. */
async function writeSchemas() {
  const print = async (...name) =>
    (await promisify(execFile)(process.execPath, ['dist/sidecar-sweeper.mjs', 'schema', ...name])).stdout;
  await mkdir('dist/schemas');
  const names = (await print()).trimEnd().split('\n');
  await Promise.all(names.map(async (name) => writeFile(`dist/schemas/${name}.json`, await print(name))));
}

/** The licences of the packages that are in the bundle: most ask to go wherever their code goes. */
async function noticesOf(inputs) {
  const packages = new Set(
    inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(input)?.[0] ?? []),
  );
  const notices = await Promise.all([...packages].sort().map((folder) => noticeOf(folder, inputs)));
  return `# Packages in this bundle, and their licences\n\n${notices.join('\n')}`;
}

async function noticeOf(folder, inputs) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const texts = await licencesIn(folder);
  // Where a package has no such file, its sources say it at their head.
  const sources = texts.length > 0 ? [] : inputs.filter((input) => input.startsWith(folder));
  const heads = new Set(await Promise.all(sources.map(headOf)));
  const text = [...texts, ...heads]
    .filter(Boolean)
    .map((one) => `\`\`\`\`text\n${one.trim()}\n\`\`\`\`\n`)
    .join('\n');
  return `## ${name} ${version} (${license})\n\n${text}`;
}

/** Some packages have a folder of them, for what they contain of others. */
async function licencesIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const named = entries.filter(({ name }) => /^(?:licen[cs]e|notice|copying)/i.test(name));
  const texts = named
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? licencesIn(path) : readFile(path, 'utf8');
    });
  return (await Promise.all(texts)).flat();
}

async function headOf(file) {
  return /^(?:\/\/.*\n)*/.exec(await readFile(file, 'utf8'))?.[0] ?? '';
}
