import { describe, expect, it } from 'vitest';
import { createPodEvents, toHarmNote, toPodNote } from '../../../../src/cli/sweep/events.ts';
import type { HarmKind } from '../../../../src/model/job.ts';
import type { ContainerOutcome, PodOutcome } from '../../../../src/model/outcome.ts';
import type { Events } from '../../../../src/model/ports.ts';
import { type Clock, systemClock } from '../../../../src/util/time.ts';
import { containerOutcomes, podOutcomes } from '../../../builders/kinds.ts';
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

function noteOf(outcome: PodOutcome, sidecar: ContainerOutcome = containerOutcomes.Stopped) {
  const target = { container: 'proxy', attempts: [], outcome: sidecar, endedAt: undefined };
  return toPodNote({ pod: podRef(1), targets: [target], outcome });
}

const reasons: Record<PodOutcome['kind'], string | undefined> = {
  Ended: 'SidecarStopped',
  Unsettled: 'SidecarStopped',
  Stuck: 'SidecarNotStopped',
  Skipped: 'SidecarNotStopped',
  Unproven: 'SidecarNotStopped',
  Blocked: 'SidecarBlocked',
  Gone: undefined,
  Replaced: undefined,
  NotAttempted: undefined,
};

describe('the event on a pod', () => {
  it.each(Object.values(podOutcomes))('has a reason that goes by its outcome: $kind', (outcome) => {
    expect(noteOf(outcome)?.reason).toBe(reasons[outcome.kind]);
  });

  it('has the outcomes of the sidecars, the pod and the Job', () => {
    expect(noteOf(podOutcomes.Ended)?.note).toBe(
      'proxy stopped, exit code 143; pod Succeeded, Job Complete. To keep such pods from getting stuck: sidecar-sweeper advise -n demo',
    );
    const { mainFailed, pod, targets } = { mainFailed: true, pod: podRef(1), targets: [] };
    const outcome: PodOutcome = { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } };
    const ofFailed = toPodNote({ pod, targets, outcome, mainFailed })?.note;
    expect(ofFailed).toContain('pod Failed, Job runs again, main failed');
    const ofStuck = noteOf(podOutcomes.Stuck, containerOutcomes.StillRunning)?.note;
    expect(ofStuck).toContain('proxy still running; pod still stuck');
  });

  it('fits the API server’s limit with any message', () => {
    const message = '🦊'.repeat(2_000);
    const note =
      noteOf(podOutcomes.Stuck, { kind: 'StillRunning', because: { kind: 'Refused', message } })?.note ?? '';
    expect(note).toContain('🦊');
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1_024);
  });
});

const job = { group: 'batch', kind: 'Job', name: 'work', uid: 'job-1' };

it.each<readonly [HarmKind, reason: string, note: string]>([
  ['RunsAgain', 'FinishedWorkRunsAgain', 'its Job runs again'],
  ['IndexFailed', 'FinishedIndexFailed', 'its Job has a failed index'],
  ['JobFailed', 'FinishedJobFailed', 'its Job has failed'],
  ['PodFailed', 'FinishedPodFailed', 'it has failed'],
])('%s is a warning that names the pod', (kind, reason, note) => {
  const event = toHarmNote(podRef(1), { kind, permitted: false, job });
  expect(event).toMatchObject({ reason, type: 'Warning' });
  expect(event.note).toContain('pod-1');
  expect(event.note).toContain(note);
});

it('what is only to be expected is not told as a fact', () => {
  const harm = { kind: 'RunsAgain', permitted: false, job } as const;
  expect(toHarmNote(podRef(1), harm).note).not.toContain('likely');
  expect(toHarmNote(podRef(1), { ...harm, expected: true }).note).toContain('its Job most likely runs again');
});
