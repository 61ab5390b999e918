import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HarmKind } from '../../../../src/model/job.ts';
import type { ContainerOutcome, PodOutcome } from '../../../../src/model/outcome.ts';
import { toDigest, toHarmNote, toPodNote } from '../../../../src/report/sweep/messages.ts';
import { containerOutcomes, podOutcomes } from '../../../builders/kinds.ts';
import { candidate } from '../../../builders/plan.ts';
import { podView } from '../../../builders/pod-view.ts';
import { endOf, finished, podRef, reportOf, started, sweepOf } from '../../../builders/report.ts';

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
    expect(noteOf(podOutcomes.Ended)?.note).toBe('proxy stopped, exit code 143; pod Succeeded, Job Complete');
    expect(noteOf(podOutcomes.Stuck, containerOutcomes.StillRunning)?.note).toBe(
      'proxy still running; pod still stuck',
    );
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
  expect(toHarmNote(podRef(1), { ...harm, expected: true }).note).toContain('most likely its Job runs again');
});

function stuckPods(count: number, name = (number: number) => `pod-${number}`) {
  return Array.from({ length: count }, (_, number) =>
    candidate(podView({ ref: { ...podRef(number), name: name(number) } })),
  );
}

describe('the digest', () => {
  it('has the result, the numbers and the unresolved pods', () => {
    const pods = stuckPods(2);
    const report = sweepOf(pods, ...pods.map((pod) => endOf(pod, { kind: 'Running' })), {
      kind: 'Warned',
      warning: { kind: 'ListInconsistent' },
    });
    expect(toDigest(report, 4).split('\n')).toEqual([
      'exit code 4',
      '2 pods still running (sidecar). To end them: allow image swaps: --noop-image',
      '2 pods listed, 2 stuck. It took 4s.',
      'warning: the list of pods expired while it was being read, so pods that changed meanwhile may be missing or out of date',
      'unresolved: demo/pod-0: still stuck',
      'unresolved: demo/pod-1: still stuck',
    ]);
  });

  it('shows a failed read, a dry run and an early stop', () => {
    const problem = { kind: 'Forbidden', message: 'pods is forbidden' } as const;
    const unread = sweepOf([], { kind: 'ReadFailed', namespace: 'etl', problem });
    expect(toDigest(unread, 3)).toMatch(/^exit code 3\n[\s\S]*^unread: etl: pods is forbidden$/m);
    const dry = reportOf(started({ dryRun: true }), finished);
    expect(toDigest(dry, 0)).toContain('(dry run: nothing was sent)');
    expect(toDigest(sweepOf([], { kind: 'Stopping', reason: 'Deadline' }), 5)).toMatch(
      /^exit code 5\n.*It took 4s \(stopped early: the sweep reached its --deadline\)\./,
    );
  });

  it('always fits into a termination message, and counts the omitted lines', () => {
    fc.assert(
      fc.property(fc.nat(80), fc.string({ maxLength: 300, unit: 'grapheme' }), (count, name) => {
        const pods = stuckPods(count, () => name);
        const digest = toDigest(sweepOf(pods), 4);
        expect(Buffer.byteLength(digest)).toBeLessThanOrEqual(4096);
        const [, missing = '0'] = /^\.\.\. and (\d+) more lines$/m.exec(digest) ?? [];
        const told = digest.split('\n').filter((line) => line.startsWith('unresolved: ')).length;
        expect(told + Number(missing)).toBe(count);
      }),
      { numRuns: 60 },
    );
  });
});
