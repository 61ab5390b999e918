import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const baseImage = 'localhost/stand-in';

export type Architecture = 'amd64' | 'arm64';

export interface ImageConfig {
  readonly User: string;
  readonly Entrypoint: readonly string[];
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
}

/**
 * Builds the project's images with buildah, in a separate storage and without a registry: the base images are
 * empty stand-ins, and the machine's /usr is mounted into the containers.
 */
export class Buildah {
  private constructor(
    private readonly folder: string,
    private readonly volumes: readonly string[],
  ) {}

  static async start(): Promise<Buildah> {
    const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-images-'));
    const buildah = new Buildah(folder, await volumes());
    await writeFile(join(folder, 'policy.json'), '{"default":[{"type":"insecureAcceptAnything"}]}');
    await buildah.#buildStandIn();
    return buildah;
  }

  async build(target: string, architectures: readonly Architecture[]): Promise<void> {
    await this.#run('build', [
      ...['--isolation', 'chroot', '--layers', '--platform', platformsOf(architectures)],
      ...['--build-arg', `NODE_IMAGE=${baseImage}`, '--build-arg', `BASE_IMAGE=${baseImage}`],
      ...['--build-arg', 'VERSION=1.2.3', '--build-arg', 'REVISION=4f2c'],
      ...['--build-arg', 'CREATED=2026-11-01T12:00:00Z', '--build-arg', 'SOURCE=https://example.com/sweeper'],
      ...this.volumes,
      ...['--target', target, '--manifest', target, root],
    ]);
  }

  async config(target: string, architecture: Architecture): Promise<ImageConfig> {
    const image = await this.#imageOf(target, architecture);
    return JSON.parse(await this.#run('inspect', '--type', 'image', image)).OCIv1.config;
  }

  async mount(target: string, architecture: Architecture): Promise<string> {
    const image = await this.#imageOf(target, architecture);
    const container = (await this.#run('from', '--pull-never', image)).trim();
    return (await this.#run('mount', container)).trim();
  }

  async runIn(target: string, command: readonly string[]): Promise<string> {
    const container = (await this.#run('from', '--pull-never', await this.#imageOf(target, 'amd64'))).trim();
    return this.#run('run', '--isolation', 'chroot', [...this.volumes, container, '--', ...command]);
  }

  async stop(): Promise<void> {
    await this.#run('rm', '--all');
    await this.#run('rmi', '--all', '--force');
    await rm(this.folder, { recursive: true, force: true });
  }

  async #buildStandIn(): Promise<void> {
    const context = join(this.folder, 'stand-in');
    for (const each of ['usr', 'etc', 'tmp', 'dev', 'proc', 'sys', 'root', 'nodejs/bin']) {
      await mkdir(join(context, each), { recursive: true });
    }
    for (const each of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${each}`, join(context, each));
    await symlink(process.execPath, join(context, 'nodejs/bin/node'));
    const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
    await writeFile(join(this.folder, 'Dockerfile'), `FROM scratch\nCOPY . /\nENV PATH=${path}\n`);
    const platforms = platformsOf(['amd64', 'arm64']);
    const file = join(this.folder, 'Dockerfile');
    await this.#run('build', '--platform', platforms, '--manifest', baseImage, '-f', file, [context]);
  }

  async #imageOf(target: string, architecture: Architecture): Promise<string> {
    const index = JSON.parse(await this.#run('manifest', 'inspect', target));
    const entry = index.manifests.find(
      ({ platform }: { platform: { architecture: string } }) => platform.architecture === architecture,
    );
    const images: readonly { id: string; digest: string }[] = JSON.parse(
      await this.#run('images', '--all', '--json'),
    );
    return images.find(({ digest }) => digest === entry.digest)?.id ?? '';
  }

  async #run(command: string, ...args: readonly (string | readonly string[])[]): Promise<string> {
    const storage = ['--root', join(this.folder, 'root'), '--runroot', join(this.folder, 'run')];
    // On Debian, /etc/containers/policy.json is in a package that buildah only recommends.
    const policy =
      command === 'build' || command === 'from'
        ? ['--signature-policy', join(this.folder, 'policy.json')]
        : [];
    const { stdout } = await run('buildah', [...storage, command, ...policy, ...args.flat()], {
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  }
}

function platformsOf(architectures: readonly Architecture[]): string {
  return architectures.map((each) => `linux/${each}`).join();
}

/** The machine's programs, and npm's settings and cache, so that `npm ci` works as on the machine. */
async function volumes(): Promise<readonly string[]> {
  const npm = async (key: string) => (await run('npm', ['config', 'get', key])).stdout.trim();
  const prefix = dirname(dirname(process.execPath));
  const mounts = [
    ['/usr', '/usr', 'ro'],
    ['/etc', '/etc', 'ro'],
    [prefix, prefix, 'ro'],
    [await npm('userconfig'), '/root/.npmrc', 'ro'],
    [await npm('cache'), '/root/.npm', 'rw'],
  ] as const;
  const there = mounts.filter(
    ([source], index) => existsSync(source) && mounts.findIndex(([other]) => other === source) === index,
  );
  return there.flatMap((mount) => ['--volume', mount.join(':')]);
}
