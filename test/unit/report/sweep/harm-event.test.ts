import { expect, it } from 'vitest';
import type { HarmKind } from '../../../../src/model/job.ts';
import { toHarmNote } from '../../../../src/report/sweep/messages.ts';
import { podRef } from '../../../builders/report.ts';

const job = { group: 'batch', kind: 'Job', name: 'work', uid: 'job-1' };

it.each<readonly [HarmKind, reason: string, note: string]>([
  ['RunsAgain', 'FinishedWorkRunsAgain', 'its work runs again'],
  ['IndexFailed', 'FinishedIndexFailed', 'its index has failed'],
  ['JobFailed', 'FinishedJobFailed', 'the Job has failed'],
  ['PodFailed', 'FinishedPodFailed', 'the pod has failed'],
])('%s is a warning that names the pod', (kind, reason, note) => {
  const event = toHarmNote(podRef(1), { kind, permitted: false, job });
  expect(event).toMatchObject({ reason, type: 'Warning' });
  expect(event.note).toContain('pod-1');
  expect(event.note).toContain(note);
});
