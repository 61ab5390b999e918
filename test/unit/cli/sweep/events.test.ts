import { expect, it } from 'vitest';
import { createPodEvents } from '../../../../src/cli/sweep/events.ts';
import type { PodEvent } from '../../../../src/model/ports.ts';
import { systemClock } from '../../../../src/util/time.ts';
import { candidate } from '../../../builders/plan.ts';
import { now, podView } from '../../../builders/pod-view.ts';
import { endOf, podRef } from '../../../builders/report.ts';

const { signal: notLate } = new AbortController();

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
  await podEvents.finish(notLate);
  expect(waits).toEqual([5_000]);
  expect(failures).toEqual(['0 of 1 events were written: it took too long']);
});

it('waits for no Event once it is late, and says how many were written', async () => {
  const failures: string[] = [];
  const late = new AbortController();
  let asked = 0;
  const podEvents = createPodEvents({
    events: {
      createEvent: (_event, abort) =>
        new Promise((resolve) => {
          asked++;
          abort.addEventListener('abort', () => resolve({ kind: 'Interrupted', message: 'cut' }));
        }),
    },
    clock: systemClock,
    reporter: 'sweeper',
    log: { fail: (message) => failures.push(message) },
  });
  podEvents.hear(endOf(candidate()));
  podEvents.hear(endOf(candidate()));
  const finishing = podEvents.finish(late.signal);
  late.abort();
  await finishing;
  expect(asked).toBe(1);
  expect(failures).toEqual(['0 of 2 events were written: it took too long']);
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
  await podEvents.finish(notLate);
  expect(written).toHaveLength(201);
  expect(written.at(-1)).toMatchObject({
    regarding: { kind: 'Job', namespace: 'demo', name: 'work', uid: 'job-1' },
    reason: 'FinishedJobFailed',
    type: 'Warning',
  });
});

it('gives up the Events of a namespace in which they are forbidden, and of no other', async () => {
  const asked: string[] = [];
  const failures: string[] = [];
  const podEvents = createPodEvents({
    events: {
      async createEvent({ regarding: { namespace } }) {
        asked.push(namespace);
        return namespace === 'closed' ? { kind: 'Forbidden', message: 'forbidden' } : undefined;
      },
    },
    clock: systemClock,
    reporter: 'sweeper',
    log: { fail: (message) => failures.push(message) },
  });
  for (const namespace of ['closed', 'closed', 'open']) {
    podEvents.hear(endOf(candidate(podView({ ref: { ...podRef(1), namespace } }))));
  }
  await podEvents.finish(new AbortController().signal);
  expect(asked).toEqual(['closed', 'open']);
  const grant =
    'grant create on events by the rule - {apiGroups: [events.k8s.io], resources: [events], verbs: [create]}';
  expect(failures).toEqual([`1 of 3 events were written: forbidden; ${grant}`]);
});
