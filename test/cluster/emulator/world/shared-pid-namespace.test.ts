import { expect, it } from 'vitest';
import { sharedPidNamespaceAvailable } from '../../../kit/emulator/index.ts';
import { describeUnless } from '../../../kit/needs.ts';
import { processSandbox, run, startIn } from './support/process-sandbox.ts';
import { until } from './support/until.ts';

const LOOP = 'while :; do sleep 1 & wait; done';
const noSharing = sharedPidNamespaceAvailable();

describeUnless(noSharing, 'A shared PID namespace', () => {
  it('has the pause process as PID 1, and a cgroup for each container', async () => {
    const sandbox = await processSandbox({ shareProcessNamespace: true });
    const [main, sidecar] = await Promise.all([
      startIn(sandbox, { script: LOOP }),
      startIn(sandbox, { script: LOOP }),
    ]);
    const script =
      'cat /proc/1/cmdline; for p in /proc/[0-9]*; do cmp -s $p/cgroup /proc/self/cgroup && cat $p/cmdline; done';
    const { stdout } = await run(main, ['sh', '-c', script]);
    expect(stdout.split('\0')[0]).toBe('/pause');
    expect(stdout.match(/while/g)).toHaveLength(1);
    const groups = await Promise.all(
      [main, sidecar].map(async (each) => (await run(each, ['tail', '-1', '/proc/self/cgroup'])).stdout),
    );
    expect(groups).toEqual([
      expect.stringMatching(`/k8s.io/${main.id}\n$`),
      expect.stringMatching(`/k8s.io/${sidecar.id}\n$`),
    ]);
  });

  it('ends with the pause process: every container exits 137', async () => {
    const sandbox = await processSandbox({ shareProcessNamespace: true });
    const [main, sidecar] = await Promise.all([
      startIn(sandbox, { script: LOOP }),
      startIn(sandbox, { script: LOOP }),
    ]);
    await run(main, ['sh', '-c', 'kill -15 1']);
    await sandbox.ended;
    expect([await main.exited, await sidecar.exited]).toEqual([
      { exitCode: 137, signal: 9 },
      { exitCode: 137, signal: 9 },
    ]);
  });

  it('loses only the processes of an ended container, including its children', async () => {
    const sandbox = await processSandbox({ shareProcessNamespace: true });
    const main = await startIn(sandbox, { script: LOOP });
    const sidecar = await startIn(sandbox, { script: 'sleep 100000 & trap "exit 0" TERM; wait' });
    await until(() => false, 200);
    sidecar.kill('SIGTERM');
    expect(await sidecar.exited).toEqual({ exitCode: 0 });
    const { stdout } = await run(main, ['sh', '-c', 'cat /proc/[0-9]*/cmdline']);
    expect(stdout).toContain('/pause');
    expect(stdout).toContain('while');
    expect(stdout).not.toContain('100000');
  });
});
