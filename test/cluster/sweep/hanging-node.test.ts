import { expect, it } from 'vitest';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import { hangKubelet } from '../../kit/emulator/index.ts';
import { FastSweeps } from '../../kit/fast-sweeps.ts';
import { stuckPod } from '../../kit/stuck-pods.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];

it('a node that hangs costs its own pods only, and those after the third nothing but a glance', async () => {
  const sweeps = await FastSweeps.start({}, 1_000);
  const { emulator } = sweeps;
  hangKubelet(emulator, 'hung');
  emulator.world.placePods(
    names.flatMap((name) => {
      const { manifest, states } = stuckPod({ name: `hung-${name}` });
      const spec = { ...manifest.spec, nodeName: 'hung' };
      return [stuckPod({ name: `fine-${name}` }), { manifest: { ...manifest, spec }, states }];
    }),
  );
  const report = await sweeps.sweep('demo');
  const execs = emulator.requests.filter(({ subresource }) => subresource === 'exec');
  await sweeps.stop();
  const outcomes = (prefix: string) =>
    report.pods.filter(({ name }) => name.startsWith(prefix)).map(({ outcome }) => outcome);
  expect(outcomes('fine').map(({ kind }) => kind)).toEqual(names.map(() => 'Ended'));
  expect(outcomes('hung').filter(({ kind }) => kind === 'Stuck')).toHaveLength(3);
  const lost = { kind: 'NotAttempted', reason: 'NodeUnreachable' };
  expect(outcomes('hung').filter(({ kind }) => kind !== 'Stuck')).toEqual([lost, lost, lost]);
  expect(new Set(execs.filter(({ name }) => name.startsWith('hung')).map(({ name }) => name)).size).toBe(3);
  expect(exitCodeOf(report)).toBe(4);
  expect(report.run.load?.requestsOfNode).toBeLessThanOrEqual(4);
  expect(report.run.load?.connections).toBeGreaterThan(0);
});
