import { expect, it } from 'vitest';
import { createPodEvents } from '../../../../src/cli/sweep/pod-events.ts';
import { candidate } from '../../../builders/plan.ts';
import { now } from '../../../builders/pod-view.ts';
import { endOf } from '../../../builders/report.ts';

it('waits five seconds at most for a server that does not answer', async () => {
  const waits: number[] = [];
  const failures: string[] = [];
  const podEvents = createPodEvents({
    events: { createEvent: () => new Promise(() => undefined) },
    clock: {
      now: () => now,
      async sleep(time) {
        waits.push(time);
      },
    },
    reporter: 'sweeper',
    log: { fail: (message) => failures.push(message) },
  });
  podEvents.hear(endOf(candidate()));
  await podEvents.finish();
  expect(waits).toEqual([5_000]);
  expect(failures).toEqual(['0 of 1 events were written: it took too long']);
});
