import { describe, expect, it } from 'vitest';
import { beginCourse, type OpenCourse } from '../../../../src/apply/course.ts';
import { noteBegun, recall } from '../../../../src/apply/guard/begun.ts';
import { type Begun, createMemory, type Memory } from '../../../../src/apply/guard/memory.ts';
import type { Attempt } from '../../../../src/plan/sweep-event.ts';
import type { PlannedStep } from '../../../../src/plan/sweep-plan.ts';
import { plannedTarget, podPlan } from '../../../builders/plan.ts';
import { now } from '../../../builders/pod-view.ts';
import { policy } from '../../../builders/policy.ts';
import { ask, Stage, swap } from '../stage.ts';

const hour = 3_600_000;
const term: PlannedStep = { ...ask('term'), grace: hour };
const kill = ask('kill');

/** Remembers what was begun, and counts how often it is asked. */
function remembering() {
  const notes = new Map<string, Begun>();
  const asked: string[] = [];
  const { signal: abort } = new AbortController();
  const memory: Memory = {
    ...createMemory(undefined, { now: () => now, sleep: async () => undefined }, abort),
    async begun(what) {
      asked.push(what);
      return notes.get(what);
    },
    begin: (what, begun) => void notes.set(what, begun),
  };
  return { notes, asked, memory };
}

function sent(step: PlannedStep, more: Partial<Attempt> = {}): Attempt {
  return { step, sentAt: now, duration: 0, result: { kind: 'Accepted' }, ...more };
}

function courseOf(attempts: readonly Attempt[], containerId = 'containerd://sidecar-0'): OpenCourse {
  const course = beginCourse(plannedTarget({ containerId, steps: [term, kill] }));
  if (course.kind !== 'Open') return expect.fail('it is open');
  return { ...course, attempts };
}

const plan = podPlan({ targets: [plannedTarget({ steps: [term, kill] })] });
const { ref } = plan.candidate.pod;

function notedFor(attempts: readonly Attempt[]) {
  const { memory, notes, asked } = remembering();
  const { context } = new Stage();
  noteBegun(ref, [courseOf(attempts)], { ...context, memory });
  const recalled = (step: PlannedStep, containerId = 'containerd://sidecar-0', of = plan) =>
    recall(of, [{ container: 'sidecar', containerId }], step, { memory, policy: policy() });
  return { notes, asked, recalled };
}

const due = now + hour;

describe('a step whose time was cut', () => {
  it('is recalled by the next sweep, whatever is known of it by then', async () => {
    const { recalled } = notedFor([sent(term, { due })]);
    for (const step of [term, { ...term, exitCode: 143, grace: 5_000 } as const]) {
      expect(await recalled(step)).toMatchObject({
        kind: 'Attempted',
        attempt: { step, sentAt: now, due, result: { message: 'an earlier sweep sent it' } },
        watched: [{ container: 'sidecar', containerId: 'containerd://sidecar-0' }],
      });
    }
  });

  it('is recalled together with the steps before it that may have arrived', async () => {
    const missed = sent(ask('third'), { result: { kind: 'Undelivered', message: 'no connection' } });
    const { recalled } = notedFor([sent(ask('quit')), missed, sent(term, { due })]);
    expect((await recalled(ask('quit')))?.attempt.due).toBe(now + ask('quit').grace);
    expect(await recalled(ask('third'))).toBeUndefined();
  });

  it('says nothing of another step or of another instance', async () => {
    const { recalled } = notedFor([sent(term, { due })]);
    expect(await recalled(kill)).toBeUndefined();
    expect(await recalled(swap)).toBeUndefined();
    expect(await recalled(term, 'containerd://sidecar-1')).toBeUndefined();
  });

  it('is looked for only in pods whose steps may take longer than allowed', async () => {
    const { recalled, asked } = notedFor([sent(term, { due })]);
    const short = podPlan({ targets: [plannedTarget({ steps: [kill] })] });
    expect(await recalled(term, 'containerd://sidecar-0', short)).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

it.each([
  ['nothing was sent', []],
  ['the sweep has waited for all of its time', [sent(term)]],
])('nothing is noted if %s', (_why, attempts) => {
  expect(notedFor(attempts).notes.size).toBe(0);
});
