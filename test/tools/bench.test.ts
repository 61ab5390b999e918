import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const bench = (...argv: readonly string[]) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/bench/main.ts', ...argv], { cwd: root });

it('prints the ratios of a part under plain names, with their spread', async () => {
  const { stdout } = await bench('--only', 'start-version,hanging-nodes', '--rounds', '1', '--json');
  const positive = expect.any(Number);
  expect(JSON.parse(stdout)).toMatchObject({
    'start-version': { vsBareNode: positive, wallMs: positive, spread: { vsBareNode: [positive, positive] } },
    'hanging-nodes': { vsNoHangingNode: positive, pods: 300, others: 270, othersEnded: 270 },
  });
});

it('answers an unknown part with one line and exit code 2', async () => {
  await expect(bench('--only', 'scan-2k', '--json')).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^error: there is no part scan-2k; the parts are start-version, .*\n$/),
  });
});
