import { expect, it } from 'vitest';
import type { PodOutcome } from '../../../src/model/outcome.ts';
import { describeFault, faultOf } from '../../../src/model/reading.ts';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import type { PodReport, SweepReport } from '../../../src/report/schema.ts';
import { warnings } from '../../builders/kinds.ts';
import { candidate } from '../../builders/plan.ts';
import { sweepOf } from '../../builders/report.ts';

const base = sweepOf([candidate()]);
const [pod] = base.pods as readonly [PodReport];
const podsWith = (...outcomes: readonly PodOutcome[]) => ({
  pods: outcomes.map((outcome) => ({ ...pod, outcome })),
});
const ended: PodOutcome = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } };
const stuck: PodOutcome = { kind: 'Stuck' };
const unread = [{ problem: 'Forbidden', message: 'pods is forbidden' }];
const braked = { warnings: [warnings.Braked] };
const stopped = { run: { ...base.run, stoppedEarly: 'Deadline' } } as const;
const broken = { run: { ...base.run, stoppedEarly: 'InternalError' } } as const;
const harmed = (permitted: boolean, outcome: PodOutcome) => ({
  pods: [{ ...pod, outcome, harm: { kind: 'JobFailed', permitted } as const }],
});
const undecided = (problem: string) => ({ undecided: [{ namespace: 'jobs', name: 'work', problem }] });
const none = podsWith();

it.each<PodOutcome>([
  ended,
  { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } },
  { kind: 'Gone', job: { kind: 'NoJob' } },
  { kind: 'Replaced', uid: 'uid-2' },
  { kind: 'NotAttempted', reason: 'DryRun' },
  { kind: 'NotAttempted', reason: 'OverMaxPods' },
  { kind: 'NotAttempted', reason: 'OverMaxPodsPerNode' },
  { kind: 'Skipped', reason: { kind: 'NoLongerCandidate', because: [{ kind: 'BeingDeleted' }] } },
])('the exit code is 0 if every pod is resolved: %j', (outcome) => {
  expect(exitCodeOf({ ...base, ...podsWith(outcome) })).toBe(0);
});

it.each<PodOutcome>([
  stuck,
  { kind: 'Unsettled' },
  { kind: 'Skipped', reason: { kind: 'NoWay' } },
  { kind: 'Skipped', reason: { kind: 'Undecided', problem: 'container main has no status' } },
  { kind: 'Unproven', problem: 'no answer' },
  { kind: 'NotAttempted', reason: 'InternalError' },
])('the exit code is 4 if one of several pods is not resolved: %j', (outcome) => {
  expect(exitCodeOf({ ...base, ...podsWith(ended, outcome, ended) })).toBe(4);
});

// biome-ignore format: one row a line
it.each<readonly [exitCode: number, what: string, ...parts: readonly Partial<SweepReport>[]]>([
  [0, 'there was nothing to do', none],
  [4, 'a defect of ours kept a pod from being judged', none, undecided(describeFault(faultOf('a', new Error('b'))))],
  [0, 'the data of a pod is odd', none, undecided('no name that Kubernetes allows')],
  [3, 'part of the cluster could not be read', none, { unread }],
  [3, 'the same, and all pods ended', podsWith(ended), { unread }],
  [3, 'the same, and a pod is stuck', podsWith(stuck), { unread }],
  [6, 'the brake stopped the sweep', podsWith(stuck), { unread }, braked],
  [6, 'the same in a dry run', podsWith(stuck), { unread }, braked, { run: { ...base.run, dryRun: true } }],
  [5, 'the sweep was stopped early', podsWith(ended), stopped],
  [5, 'the same, whatever else', podsWith(stuck), { unread }, braked, stopped],
  [1, 'an internal error stopped the sweep', podsWith(ended), broken],
  [1, 'the same, whatever else but harm', podsWith(stuck), { unread }, broken],
  [7, 'the sweep did harm', harmed(false, ended)],
  [7, 'the same, and the pod is stuck', harmed(false, stuck)],
  [7, 'the same, and it was stopped early', harmed(false, stuck), { unread }, stopped],
  [7, 'the same, by an internal error', harmed(false, stuck), broken],
  [0, 'the harm was permitted', harmed(true, ended)],
  [4, 'the same, and the pod is stuck', harmed(true, stuck)],
])('the exit code is %d if %s', (exitCode, _what, ...parts) => {
  expect(exitCodeOf(Object.assign({}, base, ...parts))).toBe(exitCode);
});

it.each<readonly [exitCode: number, what: string, parts: Partial<SweepReport>]>([
  [0, 'pods are left', {}],
  [6, 'the brake stopped the sweep', braked],
  [3, 'the cluster could not be read', { unread }],
  [5, 'the sweep stopped early', stopped],
  [7, 'the sweep did harm', harmed(false, stuck)],
])('the exit code is %d for --fail-on=error if %s', (exitCode, _what, parts) => {
  expect(exitCodeOf({ ...base, ...podsWith(stuck), ...parts }, 'error')).toBe(exitCode);
});
