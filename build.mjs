// Bundles everything into one folder, which needs no packages. A command's code is in files of its own, so
// that only what a command needs is loaded.
import { chmod, readFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';

const { version } = JSON.parse(await readFile(new URL('package.json', import.meta.url), 'utf8'));

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: { 'sidecar-sweeper': 'src/cli/main.ts' },
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
  define: { __VERSION__: JSON.stringify(version) },
  // CommonJS dependencies (ws, winston) call require, which ES modules do not have.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
await chmod('dist/sidecar-sweeper.mjs', 0o755);
