import { describe, expect, it } from 'vitest';
import type { PodOutcome, StopReason } from '../../../src/model/outcome.ts';
import { describeFault, faultOf } from '../../../src/model/reading.ts';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { warnings } from '../../builders/kinds.ts';
import { candidate } from '../../builders/plan.ts';
import { finished, listed, planMade, reportOf, started } from '../../builders/report.ts';

const base = reportOf(started(), ...listed(candidate()), planMade(candidate()), finished);

/** A report whose pods have these outcomes. */
function withOutcomes(...outcomes: readonly PodOutcome[]): SweepReport {
  const [pod] = base.pods;
  if (!pod) expect.fail('no pod to copy');
  return { ...base, pods: outcomes.map((outcome) => ({ ...pod, outcome })) };
}

/** A report of one pod whose Job has failed by an act of the sweep. */
function harmed(permitted: boolean, outcome: PodOutcome): SweepReport {
  const report = withOutcomes(outcome);
  return {
    ...report,
    pods: report.pods.map((pod) => ({ ...pod, harm: { kind: 'JobFailed' as const, permitted } })),
  };
}

const ended: PodOutcome = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } };
const stuck: PodOutcome = { kind: 'Stuck' };
const unread: SweepReport['unread'] = [{ problem: 'Forbidden', message: 'pods is forbidden' }];
const stopped = (report: SweepReport, stoppedEarly: StopReason = 'Deadline'): SweepReport => ({
  ...report,
  run: { ...report.run, stoppedEarly },
});

describe('the exit code', () => {
  it('is 0 if there was nothing to do', () => {
    expect(exitCodeOf(withOutcomes())).toBe(0);
  });

  it.each<PodOutcome>([
    ended,
    { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } },
    { kind: 'Gone', job: { kind: 'NoJob' } },
    { kind: 'Replaced', uid: 'uid-2' },
    { kind: 'NotAttempted', reason: 'DryRun' },
    { kind: 'NotAttempted', reason: 'OverMaxPods' },
    { kind: 'NotAttempted', reason: 'OverMaxPodsPerNode' },
    { kind: 'Skipped', reason: { kind: 'NoLongerCandidate', because: [{ kind: 'BeingDeleted' }] } },
  ])('is 0 if every pod is resolved: %j', (outcome) => {
    expect(exitCodeOf(withOutcomes(outcome))).toBe(0);
  });

  it.each<PodOutcome>([
    stuck,
    { kind: 'Unsettled' },
    { kind: 'Skipped', reason: { kind: 'HostPID' } },
    { kind: 'Skipped', reason: { kind: 'Undecided', problem: 'container main has no status' } },
    { kind: 'Unproven', problem: 'no answer' },
    { kind: 'NotAttempted', reason: 'InternalError' },
  ])('is 4 if one of several pods is not resolved: %j', (outcome) => {
    expect(exitCodeOf(withOutcomes(ended, outcome, ended))).toBe(4);
  });

  it.each([
    [describeFault(faultOf('judging jobs/work', new Error('out of paper'))), 4],
    ['no name, uid or restartPolicy that Kubernetes allows', 0],
  ])('of a pod that is undecided (%s) is %i', (problem, exitCode) => {
    const undecided = [{ namespace: 'jobs', name: 'work', problem }];
    expect(exitCodeOf({ ...withOutcomes(), undecided })).toBe(exitCode);
  });

  it('is 3 if part of the cluster could not be read, regardless of the pods', () => {
    expect(exitCodeOf({ ...withOutcomes(), unread })).toBe(3);
    expect(exitCodeOf({ ...withOutcomes(ended), unread })).toBe(3);
    expect(exitCodeOf({ ...withOutcomes(stuck), unread })).toBe(3);
  });

  it('is 6 if the brake stopped the sweep, in a dry run as well', () => {
    const braked = { ...withOutcomes(stuck), unread, warnings: [warnings.Braked] };
    expect(exitCodeOf(braked)).toBe(6);
    expect(exitCodeOf({ ...braked, run: { ...braked.run, dryRun: true } })).toBe(6);
    expect(exitCodeOf(stopped(braked))).toBe(5);
  });

  it.each([
    [0, 'pods are left', withOutcomes(stuck)],
    [6, 'the brake stopped the sweep', { ...withOutcomes(stuck), warnings: [warnings.Braked] }],
    [3, 'the cluster could not be read', { ...withOutcomes(stuck), unread }],
    [5, 'the sweep stopped early', stopped(withOutcomes(stuck))],
    [7, 'the sweep did harm', harmed(false, stuck)],
  ])('is %d for --fail-on=error if %s', (exitCode, _what, report) => {
    expect(exitCodeOf(report, 'error')).toBe(exitCode);
  });

  it('is 7 if the sweep did harm, regardless of the rest', () => {
    expect(exitCodeOf(harmed(false, ended))).toBe(7);
    expect(exitCodeOf(harmed(false, stuck))).toBe(7);
    expect(exitCodeOf(stopped({ ...harmed(false, stuck), unread }))).toBe(7);
    expect(exitCodeOf(stopped(harmed(false, stuck), 'InternalError'))).toBe(7);
  });

  it('is not 7 if harm was permitted', () => {
    expect(exitCodeOf(harmed(true, ended))).toBe(0);
    expect(exitCodeOf(harmed(true, stuck))).toBe(4);
  });

  it('is 5 if the sweep was stopped early, regardless of the rest', () => {
    expect(exitCodeOf(stopped(withOutcomes(ended)))).toBe(5);
    expect(exitCodeOf(stopped({ ...withOutcomes(stuck), unread }))).toBe(5);
  });
});

it('is 1 if an internal error stopped the sweep, regardless of all but harm', () => {
  expect(exitCodeOf(stopped(withOutcomes(ended), 'InternalError'))).toBe(1);
  expect(exitCodeOf(stopped({ ...withOutcomes(stuck), unread }, 'InternalError'))).toBe(1);
});
