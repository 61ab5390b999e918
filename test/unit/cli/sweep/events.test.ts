import { expect, it } from 'vitest';
import { createPodEvents } from '../../../../src/cli/sweep/events.ts';
import type { Events } from '../../../../src/model/ports.ts';
import { type Clock, systemClock } from '../../../../src/util/time.ts';
import { candidate } from '../../../builders/plan.ts';
import { now, podView } from '../../../builders/pod-view.ts';
import { endOf, podRef } from '../../../builders/report.ts';

const { signal: notLate } = new AbortController();

/** The Events of pods, and what is logged about them. */
function eventsOn(createEvent: Events['createEvent'], clock: Clock = systemClock) {
  const failures: string[] = [];
  const log = { fail: (message: string) => failures.push(message) };
  return { ...createPodEvents({ events: { createEvent }, clock, reporter: 'sweeper', log }), failures };
}

it('waits five seconds at most for a server that does not answer', async () => {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => now,
    async sleep(time) {
      waits.push(time);
    },
  };
  const { hear, finish, failures } = eventsOn(() => new Promise(() => undefined), clock);
  hear(endOf(candidate()));
  await finish(notLate);
  expect(waits).toEqual([5_000]);
  expect(failures).toEqual(['0 of 1 events were written: it took too long']);
});

it('waits for no Event once it is late, and says how many were written', async () => {
  const late = new AbortController();
  let asked = 0;
  const { hear, finish, failures } = eventsOn((_event, abort) => {
    asked++;
    return new Promise((resolve) =>
      abort.addEventListener('abort', () => resolve({ kind: 'Interrupted', message: 'cut' })),
    );
  });
  hear(endOf(candidate()));
  hear(endOf(candidate()));
  const finishing = finish(late.signal);
  late.abort();
  await finishing;
  expect(asked).toBe(1);
  expect(failures).toEqual(['0 of 2 events were written: it took too long']);
});

it('writes an Event on the Job that was harmed, however many there are on pods', async () => {
  const written: unknown[] = [];
  const { hear, finish } = eventsOn(async (event) => {
    written.push(event);
    return undefined;
  });
  const job = { group: 'batch', kind: 'Job', name: 'work', uid: 'job-1' };
  for (let number = 0; number < 200; number++) hear(endOf(candidate()));
  const outcome = { kind: 'Gone', job: { kind: 'Failed', reason: 'BackoffLimitExceeded' } } as const;
  const harm = { kind: 'JobFailed', permitted: false, job } as const;
  hear({ kind: 'PodConcluded', conclusion: { pod: podRef(1), targets: [], outcome, harm } });
  await finish(notLate);
  expect(written).toHaveLength(201);
  expect(written.at(-1)).toMatchObject({
    regarding: { kind: 'Job', namespace: 'demo', name: 'work', uid: 'job-1' },
    reason: 'FinishedJobFailed',
    type: 'Warning',
  });
});

it('gives up the Events of a namespace in which they are forbidden, and of no other', async () => {
  const asked: string[] = [];
  const { hear, finish, failures } = eventsOn(async ({ regarding: { namespace } }) => {
    asked.push(namespace);
    return namespace === 'closed' ? { kind: 'Forbidden', message: 'forbidden' } : undefined;
  });
  for (const namespace of ['closed', 'closed', 'open']) {
    hear(endOf(candidate(podView({ ref: { ...podRef(1), namespace } }))));
  }
  await finish(notLate);
  expect(asked).toEqual(['closed', 'open']);
  const grant =
    'grant create on events with the rule - {apiGroups: [events.k8s.io], resources: [events], verbs: [create]}';
  expect(failures).toEqual([`1 of 3 events were written: forbidden; ${grant}`]);
});
