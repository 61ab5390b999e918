import { expect, it } from 'vitest';
import { nextAfterScan, nextStep } from '../../../src/cli/next-step.ts';
import type { PodOutcome } from '../../../src/model/outcome.ts';
import { JudgedPods } from '../../../src/report/judged-pods.ts';
import { reportScan, reportStuckPod } from '../../../src/report/scan.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { candidate } from '../../builders/plan.ts';
import { now } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';
import { finished, listed, planMade, reportOf, started, withSidecars } from '../../builders/report.ts';

const next = (report: SweepReport, flags: Parameters<typeof nextStep>[1], program = 'sidecar-sweeper') =>
  nextStep(report, flags, program);
const base = reportOf(started(), ...listed(candidate()), planMade(candidate()), finished);
const idle = reportOf(started(), ...listed(), planMade(), finished);
const ended: PodOutcome = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } };
const withOutcome = (outcome: PodOutcome): SweepReport => ({
  ...base,
  pods: base.pods.map((pod) => ({ ...pod, outcome })),
});

it('the next step is nothing if nothing is stuck', () => {
  expect(next(idle, {})).toBeUndefined();
});

it('the next step is to explain what is left', () => {
  const command = 'sidecar-sweeper explain demo/work-x2k9p';
  expect(next(withOutcome({ kind: 'Stuck' }), {})?.command).toBe(command);
  const connection = {
    context: 'west',
    kubeconfig: '/tmp/my config',
    as: 'ops',
    insecureSkipTlsVerify: true,
  };
  const flags = { ...connection, minAge: 90_000, policy: 'p.yaml', namespaces: ['demo'] };
  const words = "--kubeconfig '/tmp/my config' --context west --as ops --insecure-skip-tls-verify";
  expect(next(withOutcome({ kind: 'Blocked', reason: 'KnownUnclean' }), flags)?.command).toBe(
    `${command} --min-age 1m30s --policy p.yaml ${words}`,
  );
});

it('the next step keeps the image of a swap, except for advice, which plans none', () => {
  const noopImage = 'registry.example/noop:1';
  const expected = / explain demo\/work-x2k9p --noop-image registry\.example\/noop:1$/;
  expect(next(withOutcome({ kind: 'Stuck' }), { noopImage })?.command).toMatch(expected);
  expect(next(withOutcome(ended), { noopImage })?.command).toBe('sidecar-sweeper advise');
});

it.each<readonly [command: string, flags: Parameters<typeof nextStep>[1], program: string | undefined]>([
  ['kubectl sweep-sidecars advise', {}, 'kubectl sweep-sidecars'],
  ['sidecar-sweeper advise -n a -n b', { namespaces: ['a', 'b'] }, undefined],
  ['sidecar-sweeper advise -A', { allNamespaces: true }, undefined],
])(
  // It is about pods that are stuck, and none is now.
  'once all have ended, the cure is for the next time, as the program was called: %s',
  (command, flags, program) => {
    const why = expect.stringMatching(/^Next time pods are stuck here, first see why, .*:$/);
    expect(next(withOutcome(ended), flags, program)).toEqual({ why, command });
  },
);

it('the next step is to see what may not be read', () => {
  const unread = [{ problem: 'Forbidden', message: 'no' }];
  expect(next({ ...idle, unread }, { minAge: 0 })?.command).toBe('sidecar-sweeper check-access');
});

it('the next step is to do what a dry run has shown, or to go on after a cap', () => {
  const dry = reportOf(started({ dryRun: true }), ...listed(candidate()), planMade(candidate()), finished);
  expect(next(dry, {})).toEqual({ why: 'Nothing was changed. To do it, leave out --dry-run.' });
  expect(next(withOutcome({ kind: 'NotAttempted', reason: 'OverMaxPods' }), {})?.why).toContain('again');
  const held = dry.pods.map((pod) =>
    withSidecars(pod, ({ steps }) => ({
      steps: steps.map((step) => ({ ...step, blocked: 'KnownUnclean' })),
    })),
  );
  expect(next({ ...dry, pods: held }, {})).toEqual({
    why: 'Next, see what ends those that are blocked:',
    command: 'sidecar-sweeper explain --reason Blocked',
  });
});

it('the next step after a scan is to see what a sweep would do, with the same scope', () => {
  const judged = new JudgedPods(reportStuckPod);
  for (const event of listed(candidate())) judged.hear(event);
  const scan = reportScan(judged, { context: 'kind', server: '' }, policy(), now);
  expect(nextAfterScan(scan, { namespaces: ['demo'], minAge: 1_000 }, 'sidecar-sweeper')?.command).toBe(
    'sidecar-sweeper sweep --dry-run -n demo --min-age 1s',
  );
  expect(nextAfterScan({ ...scan, candidates: [] }, {}, 'sidecar-sweeper')).toBeUndefined();
});

it('the next step looks at the same pods, as the same user', () => {
  const flags = { namespaces: ['a'], labelSelector: 'job-name in (x)', includePending: true, as: 'sweeper' };
  const expected = "sidecar-sweeper advise -n a -l 'job-name in (x)' --include-pending --as sweeper";
  expect(next(withOutcome(ended), flags)?.command).toBe(expected);
  const unread = [{ problem: 'Forbidden', message: 'no' }];
  expect(next({ ...idle, unread }, { as: 'sweeper', insecureSkipTlsVerify: true })?.command).toBe(
    'sidecar-sweeper check-access --as sweeper --insecure-skip-tls-verify',
  );
  expect(next(withOutcome({ kind: 'Stuck' }), flags)?.command).toBe(
    'sidecar-sweeper explain demo/work-x2k9p --as sweeper',
  );
});

it('the next step is nothing after a no', () => {
  const declined = withOutcome({ kind: 'NotAttempted', reason: 'Declined' });
  expect(next({ ...declined, run: { ...declined.run, stoppedEarly: 'Declined' } }, {})).toBeUndefined();
});
