import { expect, it } from 'vitest';
import { createPodEvents } from '../../../../src/cli/sweep/pod-events.ts';
import type { PodEvent } from '../../../../src/ports.ts';
import { candidate } from '../../../builders/plan.ts';
import { now } from '../../../builders/pod-view.ts';
import { endOf, podRef } from '../../../builders/report.ts';

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

it('writes an Event on the Job that was harmed, however many there are on pods', async () => {
  const written: PodEvent[] = [];
  const podEvents = createPodEvents({
    events: {
      async createEvent(event) {
        written.push(event);
        return undefined;
      },
    },
    clock: {
      now: () => now,
      sleep: (_time, abort) => new Promise((resolve) => abort.addEventListener('abort', () => resolve())),
    },
    reporter: 'sweeper',
    log: { fail: () => undefined },
  });
  const pod = podRef(1);
  const job = { group: 'batch', kind: 'Job', name: 'work', uid: 'job-1' };
  for (let number = 0; number < 200; number++) podEvents.hear(endOf(candidate()));
  podEvents.hear({
    kind: 'PodConcluded',
    conclusion: {
      pod,
      targets: [],
      outcome: { kind: 'Gone', job: { kind: 'Failed', reason: 'BackoffLimitExceeded' } },
      harm: { kind: 'JobFailed', permitted: false, job },
    },
  });
  await podEvents.finish();
  expect(written).toHaveLength(201);
  expect(written.at(-1)).toMatchObject({
    regarding: { kind: 'Job', namespace: 'demo', name: 'work', uid: 'job-1' },
    reason: 'FinishedJobFailed',
    type: 'Warning',
  });
});
