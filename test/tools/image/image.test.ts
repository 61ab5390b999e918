import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { describeUnless, missingPrograms } from '../../kit/needs.ts';
import { startedOnce, temporaryFolder } from '../../kit/started.ts';
import { Buildah } from './buildah.ts';

const bundle = fileURLToPath(new URL('../../../dist', import.meta.url));
const script = fileURLToPath(new URL('../../../images/noop.mjs', import.meta.url));
const run = promisify(execFile);
const silent = { stdout: '', stderr: '' };

const cannotBuild =
  missingPrograms('buildah', 'qemu-aarch64') ??
  (process.getuid?.() === 0 && process.arch === 'x64' ? undefined : 'needs root on amd64');

describeUnless(cannotBuild, 'built from the Dockerfile', () => {
  const buildah = startedOnce(() => Buildah.start());
  beforeAll(async () => {
    await buildah.build('noop', ['amd64', 'arm64']);
    // The sweeper is the same on every architecture, so one build is enough.
    await buildah.build('sweeper', ['amd64']);
  });

  it('the sweeper is the base image plus one folder and the licence, and runs as a numeric user', async () => {
    const files = filesBelow(await buildah.mount('sweeper', 'amd64')).map(withoutHash);
    // Declarations are for the package, and the test of that has written them if it went first.
    const built = filesBelow(bundle)
      .filter((file) => !file.startsWith('types/'))
      .map((file) => withoutHash(`sidecar-sweeper/${file}`));
    expect(files).toEqual(['LICENSE', ...built]);
    const config = await buildah.config('sweeper', 'amd64');
    expect(config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['/nodejs/bin/node', '/sidecar-sweeper/sidecar-sweeper.mjs'],
      Labels: {
        'org.opencontainers.image.title': 'sidecar-sweeper',
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.version': '1.2.3',
        'org.opencontainers.image.revision': '4f2c',
        'org.opencontainers.image.created': '2026-11-01T12:00:00Z',
        'org.opencontainers.image.source': 'https://example.com/sweeper',
        'org.opencontainers.image.url': 'https://example.com/sweeper',
        'org.opencontainers.image.documentation': 'https://example.com/sweeper/tree/main/docs',
        'org.opencontainers.image.vendor': 'sidecar-sweeper',
      },
    });
    const [node = ''] = config.Entrypoint;
    expect(await buildah.runIn('sweeper', [...config.Entrypoint, '--version'])).toBe(
      `${packageJson.version}\n`,
    );
    expect(await buildah.runIn('sweeper', [node, '-p', 'process.getuid()'])).toBe('65532\n');
  });

  it.each(['amd64', 'arm64'] as const)(
    'the no-op image for %s is one static program that exits 0 under all its names, with any arguments',
    async (architecture) => {
      const folder = await buildah.mount('noop', architecture);
      const files = filesBelow(folder);
      expect(files).toEqual(
        expect.arrayContaining([
          'noop',
          'bin/sh',
          'usr/bin/env',
          'usr/local/bin/pilot-agent',
          'cloud-sql-proxy',
        ]),
      );
      const programs = new Set(files.map((file) => readFileSync(join(folder, file)).toString('hex')));
      expect(programs.size).toBe(1);
      const start = architecture === 'arm64' ? ['qemu-aarch64'] : [];
      for (const file of ['noop', 'bin/sh', 'cloud-sql-proxy']) {
        for (const words of [[], ['-c', 'exit 3', '--help', ''], ['x'.repeat(100_000)]]) {
          const [program = '', ...args] = [...start, join(folder, file), ...words];
          await expect(run(program, args, { env: {} })).resolves.toEqual(silent);
        }
      }
      expect(await buildah.config('noop', architecture)).toMatchObject({
        User: '65532:65532',
        Entrypoint: ['/noop'],
        Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
      });
    },
  );
});

/** The bundler's hashes depend on the folder in which it works. */
function withoutHash(file: string): string {
  return file.replace(/-[A-Z0-9]{8}\.mjs$/, '.mjs');
}

/** The regular files; the base image's stand-in has none. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

const folder = temporaryFolder('images');

it('an unsupported architecture is refused', () => {
  const make = () => execFileSync(process.execPath, [script, folder, 's390x'], { stdio: 'pipe' });
  expect(make).toThrow(/amd64\|arm64/);
});
