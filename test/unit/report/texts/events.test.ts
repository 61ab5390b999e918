import { describe, expect, it } from 'vitest';
import type { HarmKind } from '../../../../src/model/job.ts';
import type { ContainerOutcome, PodOutcome } from '../../../../src/model/outcome.ts';
import { toHarmNote, toPodNote } from '../../../../src/report/texts/events.ts';
import { containerOutcomes, podOutcomes } from '../../../builders/kinds.ts';
import { podRef } from '../../../builders/report.ts';

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
    const { mainFailed, pod, targets } = { mainFailed: true, pod: podRef(1), targets: [] };
    const outcome: PodOutcome = { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } };
    expect(toPodNote({ pod, targets, outcome, mainFailed })?.note).toBe(
      'pod Failed, Job runs again, main failed',
    );
    const expected = 'proxy still running; pod still stuck';
    expect(noteOf(podOutcomes.Stuck, containerOutcomes.StillRunning)?.note).toBe(expected);
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
