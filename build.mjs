// Bundles everything into one file: it needs no packages and starts in a quarter of a second.
import { chmod, readFile } from 'node:fs/promises';
import { build } from 'esbuild';

const { version } = JSON.parse(await readFile(new URL('package.json', import.meta.url), 'utf8'));
const outfile = 'dist/sidecar-sweeper.mjs';

await build({
  entryPoints: ['src/cli/main.ts'],
  outfile,
  bundle: true,
  minify: true,
  keepNames: true,
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
await chmod(outfile, 0o755);
