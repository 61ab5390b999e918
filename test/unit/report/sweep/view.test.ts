import { describe, expect, it } from 'vitest';
import type { JobView } from '../../../../src/model/job.ts';
import type { ContainerOutcome, PodOutcome } from '../../../../src/model/outcome.ts';
import { draftPod } from '../../../../src/plan/draft.ts';
import type { Policy } from '../../../../src/policy/policy.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';
import { jobFacts, keyOfJob } from '../../../builders/job.ts';
import { containerOutcomes } from '../../../builders/kinds.ts';
import { candidate } from '../../../builders/plan.ts';
import { knowing, known, planSweep, specs } from '../../../builders/planned.ts';
import { policy } from '../../../builders/policy.ts';
import { renderTable } from '../../../builders/rendered.ts';
import { finished, listed, planMade, reportOf, started } from '../../../builders/report.ts';
import { plain as plainStyle } from '../../../builders/style.ts';

const killing = knowing({ signal: ['KILL'], exitCode: 137 });
const [swap] = specs({ imageSwap: { image: 'noop:1', commands: 'shipped' } });
const base = reportOf(started(), ...listed(candidate()), planMade(candidate()), finished);

/** A report of one pod whose sidecar has this outcome. */
function reportWith(outcome: ContainerOutcome, podOutcome: PodOutcome = { kind: 'Stuck' }): SweepReport {
  const pods = base.pods.map((pod) => ({
    ...pod,
    outcome: podOutcome,
    containers: pod.containers.map((one) => (one.role === 'Sidecar' ? { ...one, outcome } : one)),
  }));
  const totals = { ...base.totals, sidecars: { [outcome.kind]: 1 } };
  return { ...base, pods, totals };
}

function plain(report: SweepReport): readonly string[] {
  return renderTable(report, plainStyle).split('\n');
}

describe('the table', () => {
  const ended: PodOutcome = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } };
  const lines = plain(reportWith({ kind: 'Stopped', exitCode: 0 }, ended));

  it('has one row for each sidecar, and none for main containers', () => {
    expect(lines[0]).toMatch(/^NAMESPACE +POD +STUCK FOR +SIDECAR +OUTCOME +POD NOW +JOB$/);
    expect(lines[1]).toMatch(/^demo +work-x2k9p +1h +sidecar +stopped, exit code 0 +Succeeded +Complete$/);
    expect(lines[2]).toBe('');
  });

  it('shows how long a pod has been stuck by the server’s time, if known', () => {
    const ages = (asOf: string | undefined) => {
      const { asOf: _asOf, ...run } = base.run;
      return plain({ ...base, run: asOf === undefined ? run : { ...run, asOf } })[1];
    };
    expect(ages('2026-11-21T05:30:00.000Z')).toMatch(/^demo +work-x2k9p +2h30m /);
    expect(ages('2026-11-21T03:00:59.999Z')).toMatch(/^demo +work-x2k9p +1m /);
    expect(ages(undefined)).toMatch(/^demo +work-x2k9p +\? /);
  });

  it('ends with a summary', () => {
    expect(lines.at(-2)).toBe('1 pod listed, 1 stuck; sidecars: 1 Stopped in 4s');
    expect(lines.at(-1)).toBe('');
  });

  it('says once what to do about several sidecars', () => {
    const report = reportWith({ kind: 'StillRunning', because: { kind: 'Outlived' } });
    const advised = report.pods.map((pod) => ({
      ...pod,
      containers: pod.containers.map((one) => (one.role === 'Sidecar' ? { ...one, advice: 'look' } : one)),
    }));
    const found = plain({ ...report, pods: [...advised, ...advised] });
    expect(found.filter((line) => line.includes('look'))).toEqual(['to do (2 sidecars): look']);
  });

  it('is only the summary if there was nothing to do', () => {
    const report = reportOf(started(), ...listed(), planMade(), finished);
    expect(plain(report)).toEqual(['0 pods listed, 0 stuck in 4s', '']);
  });

  it('shows warnings, undecided pods and an early stop', () => {
    const report = reportOf(
      started(),
      {
        kind: 'PageListed',
        pods: 0,
        atWork: [],
        malformed: [{ namespace: 'demo', name: 'odd', problem: 'no containers' }],
        otherShards: 0,
      },
      {
        kind: 'Warned',
        warning: { kind: 'JobHarmed', namespace: 'demo', name: 'work-x2k9p', job: 'work', harm: 'RunsAgain' },
      },
      { kind: 'Stopping', reason: 'Deadline' },
      finished,
    );
    expect(plain(report)).toEqual([
      expect.stringMatching(/^warning: demo\/work-x2k9p: .*its Job work runs again/),
      'undecided: demo/odd: no containers; see explain --reason Undecided',
      '1 pod listed, 0 stuck in 4s (stopped early: Deadline)',
      '',
    ]);
  });

  const wild = 'a\u001b[2J\r\nb\u009b0m\u202ec';
  it.each<readonly [title: string, report: SweepReport]>([
    ['an outcome', reportWith({ kind: 'StillRunning', because: { kind: 'Refused', message: wild } })],
    [
      'a kill command’s key',
      reportWith({ kind: 'Skipped', reason: { kind: 'BadKillCommand', key: wild, problem: 'not JSON' } }),
    ],
    ['a warning', { ...base, warnings: [{ kind: 'JobsUnreadable', namespaces: ['demo'], message: wild }] }],
    [
      'the name of an undecided pod',
      { ...base, undecided: [{ namespace: wild, name: wild, problem: wild }] },
    ],
  ])('prints %s from outside within one line and without terminal control characters', (_title, report) => {
    const text = renderTable(report, plainStyle);
    expect(text).toContain('a [2J b 0m c');
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it.each<readonly [written: Partial<Policy>, job: Partial<JobView>, expected: RegExp]>([
    [{}, {}, / signal TERM +unknown +unknown$/],
    [{ uncleanExit: 'allow' }, {}, / signal TERM +unknown +unknown$/],
    [{ uncleanExit: 'forbid' }, {}, / blocked: finished work would run again or fail +Running +active$/],
    [{}, { backoffLimit: 0 }, / signal TERM +unknown +unknown$/],
    [{ ...killing, uncleanExit: 'allow' }, {}, / signal KILL +Failed +runs again$/],
    [{ ...killing, uncleanExit: 'allow' }, { backoffLimit: 0 }, / signal KILL +Failed +Failed$/],
    [
      { ...killing, uncleanExit: 'allow' },
      { perIndex: { retries: 0, maxFailed: undefined, failed: 0 } },
      / signal KILL +Failed +index fails$/,
    ],
    [{ swap }, {}, / swap the image for noop:1 +Succeeded +Complete$/],
  ])('shows what a dry run with %j expects of a Job with %j', (more, job, expected) => {
    const draft = draftPod(candidate(), policy(more));
    const jobs = new Map([[keyOfJob(candidate().pod), jobFacts(job)]]);
    const plan = planSweep([draft], known({ jobs, mode: more.uncleanExit ?? 'allow' }));
    const run = started({ dryRun: true });
    expect(plain(reportOf(run, ...listed(candidate()), { kind: 'PlanMade', plan }, finished))[1]).toMatch(
      expected,
    );
  });

  it('shows that it was a dry run', () => {
    expect(plain(reportOf(started({ dryRun: true }), ...listed(), finished))[0]).toContain('(dry run)');
  });
});

describe('colour', () => {
  it('is off if not wanted', () => {
    for (const outcome of Object.values(containerOutcomes)) {
      expect(plain(reportWith(outcome)).join('\n')).not.toContain('\u001b');
    }
  });

  it.each([
    ['green', 32, { kind: 'Stopped', exitCode: 0 }],
    ['yellow', 33, { kind: 'Stopped', exitCode: 143 }],
    ['yellow', 33, containerOutcomes.Skipped],
    ['green', 32, containerOutcomes.Gone],
    ['red', 31, containerOutcomes.StillRunning],
    ['red', 31, containerOutcomes.Restarted],
    ['red', 31, containerOutcomes.Unproven],
  ] as const)('is %s (%i) for %j', (_name, code, outcome) => {
    const [, row] = renderTable(reportWith(outcome), { ...plainStyle, colour: true }).split('\n');
    expect(row).toContain(`\u001b[${code}m`);
  });
});
