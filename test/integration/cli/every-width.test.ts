import { afterAll, beforeAll, expect } from 'vitest';
import { itUnless } from '../../kit/needs.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';
import { linesOf, noTerminal, runOnTerminal, tooLong } from '../../kit/terminal.ts';

const name = 'nightly-customer-reconciliation-29384756-x7k2p';
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await TestCluster.start([
    stuckPod({ name }),
    stuckPod({ name: 'immune', namespace: 'billing', sidecar: sidecars.immune }),
    stuckPod({ name: 'young', endedMinutesAgo: 1 }),
  ]);
});
afterAll(() => cluster.stop());

const commands: Readonly<Record<string, readonly string[]>> = {
  scan: ['scan', '-o', 'table'],
  explain: ['explain', `demo/${name}`, '-o', 'table'],
  advise: ['advise', '-o', 'table'],
  'check-access': ['check-access', '-o', 'table'],
  'a dry run': ['--dry-run', '-v', '-o', 'table'],
  'a dry run with -o wide': ['--dry-run', '-o', 'wide'],
};

for (const [title, argv] of Object.entries(commands)) {
  itUnless(
    noTerminal,
    `${title} fits terminals of 40, 80, 100 and 200 columns, and is whole elsewhere`,
    async () => {
      const all = [...argv, '--kubeconfig', await cluster.kubeconfig()];
      for (const columns of [40, 80, 100, 200]) {
        const lines = linesOf(await runOnTerminal(`cols ${columns} rows 50`, all)).slice(1);
        expect(tooLong(lines, columns)).toEqual([]);
        if (title !== 'check-access') expect(lines.join('\n')).toContain(name);
      }
      const unsized = linesOf(await runOnTerminal('cols 0 rows 0', all)).join('\n');
      const piped = (await cluster.run(argv)).stdout;
      // Ages go by between the two runs.
      const words = (from: string) => from.split(/\s+/).filter((word) => /^[a-z-]+$/i.test(word));
      expect(words(unsized)).toEqual(expect.arrayContaining(words(piped)));
    },
  );
}

for (const columns of [40, 80, 100, 200]) {
  itUnless(noTerminal, `a sweep on a terminal of ${columns} columns asks, sweeps and fits`, async () => {
    const own = `${name.slice(0, -5)}${columns}`;
    cluster.emulator.world.placePods([stuckPod({ name: own, labels: { columns: `${columns}` } })]);
    const argv = ['-l', `columns=${columns}`, '--kubeconfig', await cluster.kubeconfig()];
    const shown = await runOnTerminal(`cols ${columns} rows 50`, argv, [['[y/N]', 'y\n']]);
    expect(shown.exitCode).toBe(0);
    const lines = linesOf(shown);
    expect(lines.join('\n')).toContain(own);
    expect(tooLong(lines, columns)).toEqual([]);
  });
}
