import { expect, it } from 'vitest';
import { lastEnd, toEndedMain } from '../../../src/judge/checks.ts';
import type { ContainerState } from '../../../src/model/pod.ts';
import type { JudgedContainer } from '../../../src/model/verdict.ts';
import { container, exited, exitedAtUnknownTime, hour, now, running } from '../../builders/pod-view.ts';

function main(state: ContainerState): JudgedContainer {
  return { role: 'Main', because: { kind: 'NoEvidence' }, container: container('main', state) };
}

it('an ended main container has an exit code and a time', () => {
  expect(toEndedMain(main(exited(3)))).toEqual([
    {
      name: 'main',
      image: 'docker.io/local/busybox:1',
      because: { kind: 'NoEvidence' },
      exitCode: 3,
      endedAt: now - hour,
    },
  ]);
  expect([running, exitedAtUnknownTime()].flatMap((state) => toEndedMain(main(state)))).toEqual([]);
});

it('the last end counts, but only if all are known', () => {
  const early = main(exited(0, now - 3 * hour));
  const late = main(exited(1, now - hour));
  expect(lastEnd([late, early])).toBe(now - hour);
  expect(lastEnd([early, main(running)])).toBeUndefined();
  expect(lastEnd([early, main(exitedAtUnknownTime())])).toBeUndefined();
  expect(lastEnd([])).toBeUndefined();
});
