import { describe, expect, it } from 'vitest';
import {
  afterOthers,
  type EndContext,
  endAfterReading,
  endAfterTime,
  type PodEnding,
} from '../../../src/apply/pod-end.ts';
import { type Fact, next, podEndOf, podIn } from '../../../src/apply/pod-run.ts';
import { nothingSeen, observe } from '../../../src/model/observation.ts';
import type { JobReading } from '../../../src/model/reading.ts';
import type { UncleanCost } from '../../../src/model/step.ts';
import { presentJob } from '../../builders/job.ts';
import { attemptResults, skippedTarget } from '../../builders/plan.ts';
import { nativeSidecar, now, podView } from '../../builders/pod-view.ts';
import {
  ask,
  asked,
  both,
  changes,
  type Driving,
  drive,
  ends,
  evict,
  finishes,
  kill,
  podOfTwo,
  quit,
  restarts,
  shows,
  stops,
  term,
} from './driven-pod.ts';

const unread = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } } as const;
const targets = [asked([quit])];
const { ref } = podView();

describe('the last reading', () => {
  // biome-ignore format: one row a line
  it.each<readonly [string, Driving, readonly [elapsed: number, reads: number]]>([
    ['is not made if nothing was planned', { targets: [skippedTarget()] }, [0, 0]],
    ['is made of a sidecar that was skipped but may end', { targets: [{...skippedTarget(), containerId: 'containerd://sidecar-0' }] }, [0, 1]],
    ['is one more when no status can lag any more', { targets }, [25_000, 51]],
    ['is the one that shows the phase with the end', { targets, after: { 1000: both(ends(), finishes()) } }, [1_000, 2]],
    ['is waited for until the Job has counted the pod, from 1.6 s on', { targets, after: { 1000: ends(), 2000: finishes() } }, [2_600, 3]],
    ['may be sooner where no Job counts it', { targets, pod: podView({ awaitsJobTracking: false }), after: { 1000: ends(), 1200: finishes() } }, [1_600, 3]],
    ['is not the one with the phase if the Job has not counted it', { targets, after: { 1000: ends(), 2000: changes({ phase: 'Succeeded' }), 4000: finishes() } }, [4_000, 6]],
    ['is the last one after ten seconds', { targets, after: { 1000: ends() } }, [11_000, 20]],
    ['is waited for until the phase also if nothing was sent', { targets: [asked([])], after: { 0: ends(), 1500: finishes() } }, [2_000, 2]],
    ['is one more where a sidecar that nothing was sent to runs on beside one that ended', { targets: [asked([quit], 'a'), asked([], 'b')], pod: podOfTwo(), after: { 1000: ends('a') } }, [1_000, 3]],
    ['is at once where a sidecar runs on beside one that ended', { targets: [asked([quit], 'a')], pod: podOfTwo(), after: { 1000: ends('a') } }, [1_000, 2]],
    ['waits for a restart', { targets: [asked([quit], 'a')], pod: podOfTwo({ restartPolicy: 'OnFailure' }), after: { 1000: ends('a', 1), 3000: restarts('a', 1) } }, [3_000, 6]],
    ['is one more if the pod could not be read meanwhile', { targets, after: { 1000: ends(), 1500: shows(unread) } }, [11_000, 21]],
    ['is made when the sweep stops, once', { targets, after: { 1000: ends(), 1700: stops() } }, [1_700, 3]],
    ['is made at once when the sweep is stopping', { targets, after: { 700: stops() } }, [700, 2]],
    ['is not waited for longer than the sweep may wait for a pod', { targets: [asked([ask('quit', { grace: 30_000 })])], pod: podView({ nativeSidecars: [nativeSidecar('n')] }), maxGrace: 25_000, after: { 10000: ends() } }, [25_000, 48]],
  ])('%s', (_title, driving, expected) => {
    const driven = drive(driving);
    expect([driven.elapsed, driven.reads]).toEqual(expected);
  });

  const slow = ask('slow', { grace: 60_000 });
  const a = { pod: podOfTwo(), targets: [asked([quit], 'a'), asked([slow], 'b')] };
  // biome-ignore format: one row a line
  it.each<readonly [string, Driving, readonly string[]]>([
    ['within the time of the step', { after: { 3000: ends('sidecar', 143) } }, []],
    ['after it', { after: { 9000: ends('sidecar', 143) } }, ['Unclean sidecar']],
    ['after it with 0', { after: { 9000: ends() } }, ['Clean sidecar']],
    ['long after it, while another sidecar takes its steps', { ...a, after: { 40000: ends('a', 143), 41000: ends('b') } }, ['Unclean a']],
    ['within the time of a step for the pod', { pod: podOfTwo(), targets: [asked([quit], 'a'), asked([quit], 'b')], lastResort: [evict], after: { 25500: ends('a', 143) } }, []],
    ['within the time of a step that was sent again', { answers: { quit: [attemptResults.Unconfirmed, attemptResults.Undelivered] }, after: { 25300: ends('sidecar', 143) } }, []],
    ['that was seen while a request to it was to be sent again', { ...a, targets: [asked([quit, kill], 'a'), asked([slow], 'b')], answers: { 'kill a': [attemptResults.Busy] }, after: { 5200: both(both(ends('a', 143), ends('b')), finishes('Failed')), 6000: stops() } }, ['Unclean a']],
    ['of its own before any step', { ...a, targets: [asked([quit], 'b'), asked([], 'a')], after: { 2000: ends('a', 143) } }, []],
    ['that the re-read before the next step shows', { targets: [asked([quit, kill])], answers: { kill: [attemptResults.Undelivered] }, after: { 5200: ends('sidecar', 143) } }, ['Unclean sidecar']],
    ['that the answer to the next step betrays', { targets: [asked([quit, kill])], answers: { kill: [attemptResults.NotThere] }, after: { 5200: ends('sidecar', 143) } }, ['Unclean sidecar']],
    ['not of a pod that is gone', { after: { 9000: shows({ kind: 'Gone' }) } }, []],
  ])('shows gates an end %s', (_title, driving, late) => {
    expect(drive({ targets, ...driving, after: { ...driving.after, 72000: finishes() } }).late).toEqual(late);
  });

  const late = { 40000: ends('sidecar', 143), 41500: finishes('Failed') };
  const failed: readonly [string, string] = ['Exited', 'Failed'];
  // biome-ignore format: one row a line
  it.each<readonly [string, Driving, readonly [observed: string, end: string], readonly [elapsed: number, reads: number], readonly string[]]>([
    ['while others are swept, all ten seconds', { after: late, others: 90_000 }, failed, [45_000, 52], ['Unclean sidecar']],
    ['until the last of them is', { after: late, others: 41_000 }, failed, [42_600, 53], ['Unclean sidecar']],
    ['but not if it runs on', { others: 60_000 }, ['Running', 'Unknown'], [60_000, 54], []],
    ['but not for longer than the others need', { after: late }, ['Running', 'Unknown'], [25_000, 51], []],
    ['but not where its end costs nothing', { after: late, others: 90_000, uncleanCost: { kind: 'Nothing' } }, ['Running', 'Unknown'], [25_000, 51], []],
    ['but not if nothing can have arrived', { after: late, others: 90_000, answers: { quit: [attemptResults.Refused] } }, ['Running', 'Unknown'], [0, 1], []],
    ['until the sweep stops', { after: { ...late, 42000: stops() }, others: 90_000 }, failed, [42_000, 52], ['Unclean sidecar']],
    ['and keeps what was seen if it cannot be read when the sweep stops', { after: { 30000: shows(unread), 42000: stops() }, others: 90_000 }, ['Running', 'Unknown'], [42_000, 52], []],
    ['and tells then that it could never be read', { after: { 100: shows(unread), 42000: stops() }, others: 90_000 }, ['Unreadable', 'Unknown'], [42_000, 14], []],
    ['and tells that it cannot be read when the others are done', { after: { 42000: shows(unread) }, others: 43_000 }, ['Unreadable', 'Unknown'], [43_000, 52], []],
  ])('is of a sidecar that outlived its steps, and may still end, %s', (_title, driving, seen, times, told) => {
    const driven = drive({ targets, ...driving });
    const { last } = driven.run.seen;
    const observed = last && observe(last, { container: 'sidecar', containerId: 'containerd://sidecar-0' }).kind;
    expect([observed, podEndOf(driven.run)]).toEqual(seen);
    expect([driven.elapsed, driven.reads]).toEqual(times);
    expect(driven.late).toEqual(told);
  });

  it.each([
    [1, 42_000],
    [3, 46_000],
  ])('is waited for through the grace of %i native sidecars', (count, time) => {
    const nativeSidecars = Array.from({ length: count }, (_, index) => nativeSidecar(`n${index}`));
    const driven = drive({
      targets,
      pod: podView({ nativeSidecars, grace: 30_000 }),
      after: { 500: ends() },
    });
    expect(driven.elapsed).toBe(500 + time);
  });

  it('that fails does not hide what was seen before', () => {
    const driven = drive({ targets, after: { 1000: ends(), 1500: shows(unread) } });
    expect(driven.run.seen.last).toMatchObject({ kind: 'Present' });
  });

  it.each<UncleanCost>([{ kind: 'AnotherRun' }, { kind: 'Nothing' }])(
    'that fails is told if none has shown the end, which costs $kind',
    (uncleanCost) => {
      const driven = drive({ targets, uncleanCost, after: { 4800: shows(unread) } });
      expect(driven.run.seen.last).toEqual(unread);
    },
  );

  // biome-ignore format: one row a line
  it.each<readonly [string, Driving]>([
    ['beside one that nothing was sent to', { pod: podOfTwo(), targets: [asked([quit], 'a'), asked([], 'b')] }],
    ['although the last step was refused', { targets: [asked([quit, term])], answers: { term: [attemptResults.Refused] } }],
  ])('is made when the others are done if a sidecar may still end, %s', (_title, driving) => {
    expect(drive({ ...driving, others: 60_000 }).elapsed).toBe(60_000);
  });

  it('is of a pod that had ended before it was sent anything', () => {
    const after = { 0: both(ends('sidecar', 3), finishes('Failed')) };
    const driven = drive({ targets, after, jobs: [presentJob()] });
    expect([driven.sent, driven.reads, podEndOf(driven.run), driven.job]).toEqual([
      [],
      0,
      'Failed',
      presentJob(),
    ]);
  });
});

describe('its Job is read', () => {
  const ended = (phase: 'Succeeded' | 'Failed' = 'Succeeded', code = 0): Driving => ({
    targets,
    after: { 1000: both(ends('sidecar', code), finishes(phase)) },
  });
  const uncounted = presentJob({ uncounted: ['other', ref.uid] });
  const complete = presentJob({ complete: true });
  const failed = presentJob({ failed: 'BackoffLimitExceeded' });
  const pod = podOfTwo({ restartPolicy: 'OnFailure' });
  const onFailure: Driving = { targets: [asked([term], 'a')], pod, after: { 1000: restarts('a') } };

  // biome-ignore format: one row a line
  it.each<readonly [string, Driving, JobReading | undefined, readonly [jobReads: number, elapsed: number]]>([
    ['once the pod has ended', { ...ended(), jobs: [complete] }, complete, [1, 1_000]],
    ['not if the pod runs on', { targets, jobs: [complete] }, undefined, [0, 25_000]],
    ['not if no Job owns the pod', { ...ended(), pod: podView({ owner: undefined }), jobs: [complete] }, undefined, [0, 1_000]],
    ['if the pod is gone, even if no end was seen', { targets, after: { 1000: shows({ kind: 'Gone' }) }, jobs: [complete] }, complete, [1, 1_000]],
    ['if the pod runs on but a sidecar ended unclean', { targets: [asked([quit], 'a')], pod: podOfTwo(), after: { 1000: ends('a', 1) }, jobs: [presentJob()] }, presentJob(), [1, 1_000]],
    ['again while it has not counted the pod', { ...ended(), jobs: [uncounted, uncounted, complete] }, complete, [3, 2_000]],
    ['not again for the sake of other pods', { ...ended(), jobs: [presentJob({ uncounted: ['other'] }), complete] }, presentJob({ uncounted: ['other'] }), [1, 1_000]],
    ['six times at most', { ...ended('Failed', 1), jobs: [uncounted] }, uncounted, [6, 3_500]],
    ['not again if it cannot be read', { ...ended(), jobs: [unread, complete] }, unread, [1, 1_000]],
    ['not again once it is gone', { ...ended(), jobs: [{ kind: 'Gone' }, complete] }, { kind: 'Gone' }, [1, 1_000]],
    ['again while it has not answered a restart', { ...onFailure, jobs: [presentJob(), presentJob(), complete] }, complete, [3, 2_000]],
    ['six times at most after a restart', { ...onFailure, jobs: [presentJob()] }, presentJob(), [6, 3_500]],
    ['once more, at once, when the sweep stops in between', { ...ended(), after: { ...ended().after, 1200: stops() }, jobs: [uncounted] }, uncounted, [2, 1_200]],
    ['once when the sweep is stopping', { ...ended(), after: { ...ended().after, 700: stops() }, jobs: [uncounted] }, undefined, [0, 700]],
    ['and the pod of a Job that failed, and gave it up, is waited for', { ...onFailure, after: { 1000: both(restarts('a'), changes({ deleting: true, awaitsJobTracking: false })), 4000: shows({ kind: 'Gone' }) }, jobs: [failed] }, failed, [1, 4_000]],
    ['or until its name is another pod’s', { ...onFailure, after: { 1000: restarts('a'), 4000: shows({ kind: 'Replaced', uid: 'u' }) }, jobs: [failed] }, failed, [1, 4_000]],
    ['for ten seconds at most', { ...onFailure, jobs: [failed] }, failed, [1, 11_000]],
    ['but not when the sweep stops', { ...onFailure, after: { 1000: restarts('a'), 4200: stops() }, jobs: [failed] }, failed, [1, 4_200]],
    ['nor if the Job is complete', { ...onFailure, jobs: [presentJob({ complete: true, failed: 'x' })] }, presentJob({ complete: true, failed: 'x' }), [1, 1_000]],
    ['nor if the pod has ended', { ...ended('Failed', 1), jobs: [failed] }, failed, [1, 1_000]],
  ])('%s', (_title, driving, reading, expected) => {
    const driven = drive(driving);
    expect(driven.job).toEqual(reading);
    expect([driven.jobReads, driven.elapsed]).toEqual(expected);
  });
});

it('a pod is known as it was read last, or as it was planned once it is gone', () => {
  const ended = { 1000: both(ends(), finishes()) };
  expect(podIn(drive({ targets, after: ended }).run)).toMatchObject({ phase: 'Succeeded' });
  expect(podIn(drive({ targets, after: { 1000: shows({ kind: 'Gone' }) } }).run)).toEqual(podView());
});

describe('what was heard too late, or too soon, changes nothing:', () => {
  const context: EndContext = {
    pod: podView(),
    seen: nothingSeen,
    watched: [],
    mayStillEnd: true,
    podEnd: 'Unknown',
    stopping: undefined,
    now,
    cut: (time) => time,
  };
  const settling = { kind: 'Settling', from: now, until: now + 1, wasRead: false } as const;

  it.each<PodEnding>([
    { kind: 'NotYet' },
    { kind: 'ReadingJob', times: 0 },
    { kind: 'AwaitingJob', times: 1, until: now },
    { kind: 'Concluded' },
  ])('a reading while the end is $kind', (ending) => {
    expect(endAfterReading(ending, { kind: 'Gone' }, context)).toEqual([ending]);
  });

  it('a moment before the time is up, except that the sweep stops', () => {
    expect(endAfterTime(settling, context)).toEqual([settling]);
    const last = { kind: 'Reading', isLast: true };
    expect(endAfterTime(settling, { ...context, stopping: 'Signal' })).toEqual([last, { kind: 'Read' }]);
  });

  it('that the others are done, except that one that lingers is read within ten seconds', () => {
    const lingering = { kind: 'Lingering', from: now + 9_000, until: Number.POSITIVE_INFINITY } as const;
    const last = { ...lingering, from: now, until: now + 10_000, isLast: true };
    expect(afterOthers({ ...lingering, isLast: false }, context)).toEqual([last]);
    expect(endAfterTime(last, { ...context, now: now + 10_000 })[1]).toEqual({ kind: 'Read' });
    expect(afterOthers(settling, context)).toEqual([settling]);
  });

  it.each<Fact>([
    { kind: 'Begin' },
    { kind: 'Blocked', id: 0, reason: 'PromiseBroken' },
    { kind: 'JobRead', reading: presentJob() },
    { kind: 'TimeUp' },
    { kind: 'OthersDone' },
  ])('a pod is concluded once, whatever is $kind', (fact) => {
    const { run } = drive({ targets });
    expect(run.ending).toEqual({ kind: 'Concluded' });
    expect(next(run, fact, now + 90_000)).toEqual([run, []]);
  });

  it('the unclean end of an eviction is waited for', () => {
    const after = { 500: ends('sidecar', 143), 800: shows({ kind: 'Gone' }) };
    const driven = drive({ targets: [asked([])], lastResort: [evict], after, jobs: [presentJob()] });
    expect([podEndOf(driven.run), driven.job]).toEqual(['Failed', presentJob()]);
  });
});
