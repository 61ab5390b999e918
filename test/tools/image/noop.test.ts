import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { itUnless } from '../../kit/needs.ts';
import { temporaryFolder } from '../../kit/started.ts';

const script = fileURLToPath(new URL('../../../images/noop.mjs', import.meta.url));
const architecture = { x64: 'amd64', arm64: 'arm64' }[String(process.arch)];
const cannotRun =
  process.platform === 'linux' && architecture !== undefined ? undefined : 'needs Linux on amd64 or arm64';
const folder = temporaryFolder('noop');

itUnless(cannotRun, 'the no-op program exits 0 for any arguments', async () => {
  execFileSync(process.execPath, [script, folder, architecture ?? '']);
  const run = promisify(execFile);
  for (const args of [[], ['-c', 'exit 3'], ['proxy', 'sidecar', '--domain', 'x'], ['x'.repeat(100_000)]]) {
    await expect(run(join(folder, 'bin/sh'), args)).resolves.toEqual({ stdout: '', stderr: '' });
  }
});

it('an unsupported architecture is refused', () => {
  expect(() => execFileSync(process.execPath, [script, folder, 's390x'], { stdio: 'pipe' })).toThrow(
    /amd64\|arm64/,
  );
});
