import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { describeUnless, missingPrograms } from '../kit/needs.ts';
import { temporaryFolder } from '../kit/started.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

describeUnless(missingPrograms('git'), 'a newcomer with only the README', () => {
  const folder = temporaryFolder('newcomer');
  let clone: string;
  let prefix: string;
  let times: string;
  let linked: string;
  let opened: string;

  // What README.md shows first, as it stands, in a fresh clone.
  beforeAll(async () => {
    clone = join(folder, 'clone');
    prefix = join(folder, 'prefix');
    await run('git', ['clone', '--quiet', root, clone]);
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const line = (start: string) =>
      new RegExp(`^${start}.*?(?= +#|$)`, 'm').exec(readme)?.[0] ?? expect.fail(`the README has no ${start}`);
    const [demo, open, link] = [
      line('npm ci && npm run demo'),
      line('open '),
      line('npm ci && npm run build'),
    ];
    expect(link).toMatch(/npm link$/);
    const env = await withOpen(join(folder, 'bin'));
    const shell = (script: string) => run('sh', ['-e', '-c', script], { cwd: clone, env });
    times = (await shell(`${demo}\n${open}\ntimes`)).stdout;
    linked = (await shell(`( ${link} ) >&2\n${prefix}/bin/sidecar-sweeper --version`)).stdout;
    opened = (await readFile(join(folder, 'opened'), 'utf8')).trimEnd();
  });

  /** An environment in which `open` writes down what it is to open: a machine that runs tests has no desktop. */
  async function withOpen(bin: string): Promise<NodeJS.ProcessEnv> {
    await mkdir(bin);
    await writeFile(join(bin, 'open'), `#!/bin/sh\nrealpath "$@" >${join(folder, 'opened')}\n`);
    await chmod(join(bin, 'open'), 0o755);
    // Packages that npm has fetched before need no registry.
    const npm = { npm_config_prefer_offline: 'true', npm_config_prefix: prefix };
    return { ...process.env, ...npm, PATH: [bin, process.env['PATH']].join(delimiter) };
  }

  it('has the report of a swept cluster within three minutes of machine time', () => {
    expect(opened).toBe(join(clone, 'reports', 'demo.html'));
    expect(machineTime(times)).toBeGreaterThan(0);
    expect(machineTime(times)).toBeLessThan(3 * 60);
  });

  it('has the command after npm link', () => {
    expect(linked).toBe(`${packageJson.version}\n`);
  });
});

/** The seconds of CPU that the children of a shell took, which its `times` prints last. */
function machineTime(times: string): number {
  const children = times.trimEnd().split('\n').at(-1) ?? '';
  const each = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return each.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}
