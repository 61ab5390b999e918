import { describe, expect, it } from 'vitest';
import type { HarmKind, JobReaction } from '../../../src/model/job.ts';
import type { PodEnd } from '../../../src/model/job-reaction.ts';
import { nothingSeen, type Seen } from '../../../src/model/observation.ts';
import type { RestartPolicy } from '../../../src/model/pod.ts';
import type { PodReading } from '../../../src/model/reading.ts';
import { type Deed, endOf, harmOf } from '../../../src/plan/harm.ts';
import type { Attempt } from '../../../src/plan/sweep-event.ts';
import { jobReactions } from '../../builders/kinds.ts';
import { attempt, attemptResults, candidate, steps } from '../../builders/plan.ts';
import { container, exited, now, podView, podWithSidecar, running } from '../../builders/pod-view.ts';
import { stuck } from '../../builders/stuck.ts';

const evicted: Attempt = { ...attempt(), step: steps.Evict };
const gone: PodReading = { kind: 'Gone' };
const present = (phase: string, restarts = 0): PodReading => {
  return { kind: 'Present', pod: podView({ phase, restarts }), asOf: now };
};
const unclean: Partial<Seen> = { hasEndedUnclean: true };

describe('how a pod ended', () => {
  it.each<
    readonly [title: string, reading: PodReading, seen: Partial<Seen>, attempts: readonly Attempt[], PodEnd]
  >([
    ['is its phase', present('Failed'), {}, [attempt()], 'Failed'],
    ['is its phase', present('Succeeded'), {}, [attempt()], 'Succeeded'],
    ['is failure once its Job gave it up', present('Succeeded'), { isGivenUp: true }, [evicted], 'Failed'],
    ['is open while it runs', present('Running'), unclean, [attempt()], 'Unknown'],
    ['is the phase seen last if it is gone', gone, { phase: 'Succeeded' }, [evicted], 'Succeeded'],
    ['is unknown if it is gone and it was not seen', gone, { phase: 'Running' }, [attempt()], 'Unknown'],
    ['is failure if a sidecar of it had ended unclean', gone, unclean, [attempt()], 'Failed'],
    ['is failure if this sweep evicted it', gone, { isDisrupted: true }, [evicted], 'Failed'],
    ['is unknown if it was drained', gone, { ...unclean, isDisrupted: true }, [attempt()], 'Unknown'],
    ['is unknown if it cannot be read', { kind: 'Replaced', uid: 'u' }, unclean, [attempt()], 'Unknown'],
  ])('%s', (_title, reading, seen, attempts, end) => {
    expect(endOf(podView(), reading, { ...nothingSeen, ...seen }, attempts)).toBe(end);
  });

  it.each<readonly [restartPolicy: RestartPolicy, restarts: number, PodReading, PodEnd]>([
    ['OnFailure', 0, gone, 'Unknown'],
    ['OnFailure', 0, present('Running', 1), 'Restarted'],
    ['OnFailure', 1, present('Running', 1), 'Unknown'],
    ['Never', 0, present('Running', 1), 'Unknown'],
  ])('under %s with %d restarts', (restartPolicy, restarts, reading, end) => {
    const seen = { ...nothingSeen, ...unclean };
    expect(endOf(podView({ restartPolicy, restarts }), reading, seen, [attempt()])).toBe(end);
  });
});

describe('harm', () => {
  const onFailure = stuck({ restartPolicy: 'OnFailure' });
  const neverRestarted = candidate(
    podWithSidecar({ restartPolicy: 'Never' }, { restartPolicy: 'OnFailure' }),
  );
  const lastRetry = { cost: { kind: 'Job', because: 'NoRetriesLeft' } } as const;
  const failed: JobReaction = jobReactions.Failed;
  const deed = (more: Partial<Deed> = {}): Deed => ({
    candidate: candidate(),
    cost: { kind: 'AnotherRun' },
    attempts: [attempt()],
    seen: nothingSeen,
    end: 'Failed',
    job: failed,
    ends: [{ container: 'sidecar', exitCode: 143 }],
    isCut: false,
    ...more,
  });

  // biome-ignore format: as many as fit on a line
  it.each<readonly [JobReaction['kind'], HarmKind | undefined]>([
    ['RunsAgain', 'RunsAgain'], ['IndexFailed', 'IndexFailed'], ['Failed', 'JobFailed'],
    ['NoJob', undefined], ['Complete', undefined], ['Active', undefined], ['Gone', undefined],
    ['Unknown', undefined],
  ])('of a Job that is %s: %s', (kind, harm) => {
    expect(harmOf(deed({ job: jobReactions[kind], ends: [] }))).toEqual(harm && { kind: harm });
  });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, more: Partial<Deed>]>([
    ['a main had failed', { candidate: stuck({ containers: [container('main', exited(7)), container('sidecar', running)] }) }],
    ['one of two mains had failed', { candidate: stuck({ containers: [container('main', exited()), container('other', exited(7)), container('sidecar', running)] }) }],
    ['nothing was sent', { attempts: [] }],
    ['nothing that was sent can have worked', { attempts: [attempt(attemptResults.Refused)] }],
    ['the pod succeeded, and the Job failed for another', { end: 'Succeeded' }],
    ['it was drained', { seen: { ...nothingSeen, isDisrupted: true } }],
    ['it vanished, and its Job runs again', { end: 'Unknown', job: jobReactions.RunsAgain }],
    ['another client deleted it after its sidecars had ended with 0', { seen: { ...nothingSeen, ...unclean, isGivenUp: true }, ends: [], job: jobReactions.RunsAgain }],
    ['another client deleted it', { seen: { ...nothingSeen, isDeletedFirst: true }, end: 'Unknown' }],
    ['all of its sidecars ended with 0, and the Job failed for another', { end: 'Unknown', ends: [], isClean: true }],
    ['the Job reached its own deadline', { job: { kind: 'Failed', reason: 'DeadlineExceeded' } }],
  ])('is not this sweep’s if %s', (_title, more) => {
    expect(harmOf(deed(more))).toBeUndefined();
  });

  const judged = stuck({ owner: undefined, labels: { kubernetes_pod_operator: 'True' } });
  const owned = stuck({ owner: { group: 'tekton.dev', kind: 'TaskRun', name: 't', uid: 't' } });
  const workflow = stuck({
    owner: { group: 'argoproj.io', kind: 'Workflow', name: 'w', uid: 'w' },
    argo: { mains: ['main'] },
  });
  const killed = [{ container: 'sidecar', exitCode: 137 }];
  const noJob: JobReaction = { kind: 'NoJob' };

  // biome-ignore format: one row a line
  it.each<readonly [title: string, harm: HarmKind | undefined, more: Partial<Deed>]>([
    ['a pod that a platform judges by its phase', 'PodFailed', { candidate: judged }],
    ['a pod whose owner is no Job', 'PodFailed', { candidate: owned }],
    ['such a pod that has succeeded', undefined, { candidate: judged, end: 'Succeeded' }],
    ['such a pod that vanished', undefined, { candidate: judged, end: 'Unknown' }],
    ['such a pod that was drained', undefined, { candidate: judged, seen: { ...nothingSeen, isDisrupted: true } }],
    ['such a pod whose sidecars all ended with 0', undefined, { candidate: judged, ends: [] }],
    ['such a pod that the sweep itself ended', 'PodFailed', { candidate: judged, ends: [], attempts: [attempt(), evicted] }],
    ['a workflow’s pod whose sidecar was killed', undefined, { candidate: workflow, ends: killed }],
    ['a workflow’s pod that the sweep itself ended', 'PodFailed', { candidate: workflow, ends: killed, attempts: [evicted] }],
    ['a pod without an owner', undefined, { candidate: stuck({ owner: undefined }) }],
    ['a Job’s pod that the sweep itself ended', undefined, { ends: [], attempts: [evicted] }],
  ])('of %s: %s', (_title, harm, more) => {
    expect(harmOf(deed({ job: noJob, ...more }))).toEqual(harm && { kind: harm });
  });

  it.each<readonly [title: string, more: Partial<Deed>]>([
    ['a sidecar of it exited unclean', {}],
    ['the sweep itself evicted it', { ends: [], attempts: [evicted] }],
    ['the sweep itself evicted it, under OnFailure', { ends: [], attempts: [evicted], candidate: onFailure }],
  ])('of a Job that another controller manages is that its pod has failed, as %s', (_title, more) => {
    const cost = { kind: 'Job', because: 'OtherOwner' } as const;
    const managed = deed({ job: jobReactions.Active, cost, ...more });
    expect(harmOf(managed)).toEqual({ kind: 'PodFailed' });
    expect(harmOf({ ...managed, end: 'Unknown', ends: [] })).toBeUndefined();
    expect(harmOf({ ...managed, ...lastRetry, ends: [] })).toBeUndefined();
  });

  const sure = { ...nothingSeen, isDisrupted: true, isDeletedFirst: true };

  it.each<readonly [title: string, more: Partial<Deed>, HarmKind]>([
    ['the Job has failed and deleted the pod before it was seen to end', { end: 'Unknown' }, 'JobFailed'],
    [
      'the sweep itself evicted the pod',
      { attempts: [evicted], seen: sure, job: jobReactions.RunsAgain },
      'RunsAgain',
    ],
    [
      'the Job counts a clean swap as one restart too many',
      { end: 'Succeeded', seen: { ...nothingSeen, ...unclean } },
      'JobFailed',
    ],
  ])('is, if %s', (_title, more, kind) => {
    expect(harmOf(deed(more))).toEqual({ kind });
  });

  // A Job with ttlSecondsAfterFinished: 0 is removed as soon as it has failed.
  // biome-ignore format: one row a line
  it.each<readonly [title: string, more: Partial<Deed>, HarmKind | undefined]>([
    ['the Job, whose pod has failed', { cost: { kind: 'Job', because: 'NoRetriesLeft' } }, 'JobFailed'],
    ['an index, whose pod has failed', { cost: { kind: 'Index' } }, 'IndexFailed'],
    ['another run, which needs the Job', { cost: { kind: 'AnotherRun' } }, undefined],
    ['the Job, but it succeeded', { cost: { kind: 'Job', because: 'NoRetriesLeft' }, end: 'Succeeded' }, undefined],
    ['the Job, but the pod vanished', { cost: { kind: 'Job', because: 'NoRetriesLeft' }, end: 'Unknown' }, undefined],
  ])('is to be expected of a Job that is gone where an unclean end costs %s', (_title, more, kind) => {
    const expected = kind && { kind, expected: true };
    expect(harmOf(deed({ job: jobReactions.Gone, ...more }))).toEqual(expected);
  });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, more: Partial<Deed>, HarmKind | undefined]>([
    ['another run', { cost: { kind: 'AnotherRun' } }, 'RunsAgain'],
    ['an index', { cost: { kind: 'Index' } }, 'IndexFailed'],
    ['the Job', { cost: { kind: 'Job', because: 'NoRetriesLeft' } }, 'JobFailed'],
    ['nothing', { cost: { kind: 'Nothing' } }, undefined],
    ['a restart', { cost: { kind: 'Restart' } }, undefined],
    ['nothing, since no sidecar ended unclean', { ends: [] }, undefined],
    ['another run, but its Job is complete', { job: jobReactions.Complete }, undefined],
    ['another run, but its Job is gone', { job: jobReactions.Gone }, undefined],
    // Recorded: job-work-queue-after-success.
    ['another run, but its Job, a work queue, replaces no failed pod', { end: 'Failed', job: jobReactions.Active }, undefined],
    ['another run, as the sidecar itself is never restarted', { candidate: neverRestarted }, 'RunsAgain'],
    ['another run, as one of two sidecars is never restarted', { candidate: neverRestarted, ends: [{ container: 'sidecar', exitCode: 143 }, { container: 'main', exitCode: 143 }] }, 'RunsAgain'],
    ['another run, but the kubelet restarted the sidecar', { candidate: onFailure, end: 'Restarted' }, undefined],
    ['another run, but the kubelet will', { candidate: onFailure }, undefined],
    ['the Job, which has not counted a restart yet', { cost: { kind: 'Job', because: 'NoRetriesLeft' }, candidate: onFailure, end: 'Restarted', isCut: true }, 'JobFailed'],
    ['the Job, which had the time to count a restart', { cost: { kind: 'Job', because: 'NoRetriesLeft' }, candidate: onFailure, end: 'Restarted', job: jobReactions.Active }, undefined],
    ['the Job, where the back-off of the restart is not over', { ...lastRetry, candidate: onFailure }, 'JobFailed'],
    ['the Job, which cannot be read, after a restart', { ...lastRetry, candidate: onFailure, end: 'Restarted', job: jobReactions.Unknown }, 'JobFailed'],
    ['the Job, but another client deleted the pod', { ...lastRetry, candidate: onFailure, seen: { ...nothingSeen, last: gone }, job: jobReactions.Active }, undefined],
    ['what is unknown of the Job, after a restart', { cost: { kind: 'Job', because: 'JobUnreadable' }, candidate: onFailure, end: 'Restarted', isCut: true }, undefined],
    ['another run, but a pod without a Job', { candidate: stuck({ owner: undefined }), job: noJob }, undefined],
  ])('is to be expected where an unclean end costs %s', (_title, more, kind) => {
    const open = { end: 'Unknown', job: jobReactions.Active } as const;
    const expected = kind && { kind, expected: true };
    expect(harmOf(deed({ ...open, ...more }))).toEqual(expected);
    if (more.job) return;
    expect(harmOf(deed({ ...open, job: jobReactions.Unknown, ...more }))).toEqual(expected);
    expect(harmOf(deed({ ...open, job: noJob, ...more }))).toEqual(expected);
  });
});
