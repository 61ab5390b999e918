import { afterAll, beforeAll, expect } from 'vitest';
import { itUnless } from '../../needs.ts';
import { mostBytes, noTerminal, runOnTerminal } from '../../terminal.ts';
import { sidecars, stuckPod, TestCluster } from '../stuck-pods.ts';

let cluster: TestCluster;
let pods = 0;
beforeAll(async () => {
  cluster = await TestCluster.start();
});
afterAll(() => cluster.stop());

for (const size of ['cols 0 rows 0', 'cols 0 rows 24', 'cols 1 rows 1', 'cols 65535 rows 65535']) {
  itUnless(noTerminal, `a sweep on a terminal of ${size} runs and ends`, async () => {
    const name = `pod-${pods++}`;
    const { world } = cluster.emulator;
    world.placePods([stuckPod({ name, sidecar: sidecars.clean })]);
    const shown = await runOnTerminal(size, ['--kubeconfig', await cluster.kubeconfig()]);
    expect(shown.exitCode).toBe(0);
    expect(shown.text).toContain(name);
    expect(shown.text).toContain('stopped, exit code 0');
    expect(shown.text.length).toBeLessThan(mostBytes);
  });

  itUnless(noTerminal, `the help on a terminal of ${size} is complete`, async () => {
    const shown = await runOnTerminal(size, ['--help']);
    expect(shown.exitCode).toBe(0);
    expect(shown.text).toContain('Exit codes:');
    expect(shown.text.length).toBeLessThan(mostBytes);
  });
}
