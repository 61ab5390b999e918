import { expect, it } from 'vitest';
import type { SweepReport } from '../../src/report/schema.ts';
import { hostileLists } from '../kit/hostile-lists.ts';
import { innocent, sweepBeside } from './beside-a-list.ts';
import { tally } from './tally.ts';

it.each(hostileLists)('D10: beside 20 stuck pods, in the manifests’ memory: $name', async (list) => {
  const { report, peakMiB, seconds } = await sweepBeside(list, list.deadline);
  expect(report.pods.flatMap(outcomeOfInnocent)).toEqual(Array(innocent).fill('Ended'));
  const expected = list.name.includes('in portions') ? ['InPortions'] : [];
  expect(report.warnings.map(({ kind }) => kind)).toEqual(expected);
  expect(peakMiB).toBeLessThan(300);
  expect(seconds).toBeLessThan(list.deadline + 1);
  tally('faults', 'D10', 1);
});

it.each([6, 7, 8, 9])('D10: with 100 times as many, a sweep ends by its deadline (%i)', async (index) => {
  const list = hostileLists[index] ?? expect.fail();
  const { report, peakMiB, seconds } = await sweepBeside({ ...list, pods: 3_000 }, 3);
  expect(report.run.stoppedEarly).toBe('Deadline');
  expect(peakMiB).toBeLessThan(300);
  expect(report.run.durationMs).toBeLessThan(3_000 + 1_000);
  // The process has to start as well, on a busy machine.
  expect(seconds).toBeLessThan(3 + 1 + 3);
  tally('faults', 'D10', 1);
});

function outcomeOfInnocent({ namespace, outcome }: SweepReport['pods'][number]) {
  return namespace === 'demo' ? [outcome.kind] : [];
}
