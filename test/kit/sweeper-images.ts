import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostProgram, type Images } from './emulator/index.ts';

const bundle = fileURLToPath(new URL('../../dist', import.meta.url));
const noop = fileURLToPath(new URL('../../images/noop.mjs', import.meta.url));
const architecture = { x64: 'amd64', arm64: 'arm64' }[String(process.arch)] ?? 'unknown';

/** The images in the manifests, with the same contents as from the Dockerfile. */
export const sweeperImages: Images = {
  'registry.example.com/sidecar-sweeper:0.1.0': {
    entrypoint: ['/nodejs/bin/node', '/sidecar-sweeper/sidecar-sweeper.mjs'],
    root: () => [
      ...hostProgram('/nodejs/bin/node', process.execPath),
      { kind: 'mount', path: '/sidecar-sweeper', source: bundle },
    ],
  },
  'registry.example.com/sidecar-sweeper-noop:0.1.0': {
    entrypoint: ['/noop'],
    root: () => {
      const folder = noopRoot();
      return readdirSync(folder).map((name) => ({
        kind: 'mount' as const,
        path: `/${name}`,
        source: join(folder, name),
      }));
    },
  },
};

let made: string | undefined;

function noopRoot(): string {
  if (made === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-noop-root-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    execFileSync(process.execPath, [noop, folder, architecture]);
    made = folder;
  }
  return made;
}
