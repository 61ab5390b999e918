import { describe, expect, it } from 'vitest';
import type { ContainerOutcome, PodOutcome } from '../../../../src/model/outcome.ts';
import { toPodNote } from '../../../../src/report/sweep/messages.ts';
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
  it.each(Object.entries(reasons))('whose outcome is %s has the reason %s', (kind, reason) => {
    const outcome = Object.values(podOutcomes).find((one) => one.kind === kind);
    expect(outcome && noteOf(outcome)?.reason).toBe(reason);
  });

  it('has the outcomes of the sidecars, the pod and the Job', () => {
    expect(noteOf(podOutcomes.Ended)?.note).toBe(
      'proxy stopped, exit code 143; the pod is Succeeded, its Job Complete',
    );
    expect(noteOf(podOutcomes.Stuck, containerOutcomes.StillRunning)?.note).toBe(
      'proxy still running; the pod is still stuck',
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
