import { expect, it } from 'vitest';
import { kubectlAlike, nextAfterScan, nextStep } from '../../../src/cli/next-step.ts';
import type { PodOutcome } from '../../../src/model/outcome.ts';
import { JudgedPods } from '../../../src/report/judged-pods.ts';
import { reportScan, reportStuckPod } from '../../../src/report/scan.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { candidate } from '../../builders/plan.ts';
import { now } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';
import { finished, listed, planMade, reportOf, started, withSidecars } from '../../builders/report.ts';

const base = reportOf(started(), ...listed(candidate()), planMade(candidate()), finished);
const idle = reportOf(started(), ...listed(), planMade(), finished);
const ended: PodOutcome = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } };
const withOutcome = (outcome: PodOutcome): SweepReport => ({
  ...base,
  pods: base.pods.map((pod) => ({ ...pod, outcome })),
});

const stuck = withOutcome({ kind: 'Stuck' });
const blocked = withOutcome({ kind: 'Blocked', reason: 'KnownUnclean' });
const allEnded = withOutcome(ended);
const forbidden = { ...idle, unread: [{ problem: 'Forbidden', message: 'no' }] };
const declined = withOutcome({ kind: 'NotAttempted', reason: 'Declined' });
const noopImage = 'registry.example/noop:1';
const reach = { context: 'west', kubeconfig: '/tmp/my config', as: 'ops', insecureSkipTlsVerify: true };
const judging = { minAge: 90_000, policy: 'p.yaml', ...reach };
const scoped = { namespaces: ['a'], labelSelector: 'job-name in (x)', includePending: true, as: 'ops' };

// biome-ignore format: one row a line
it.each<readonly [what: string, report: SweepReport, flags: Parameters<typeof nextStep>[1], command: string | undefined]>([
  ['nothing if nothing is stuck', idle, {}, undefined],
  ['nothing after a no', { ...declined, run: { ...declined.run, stoppedEarly: 'Declined' } }, {}, undefined],
  ['to explain what is left', stuck, {}, 'explain demo/work-x2k9p'],
  ['to explain it as it was judged, in the same cluster', blocked, { ...judging, namespaces: ['demo'] }, "explain demo/work-x2k9p --min-age 1m30s --policy p.yaml --kubeconfig '/tmp/my config' --context west --as ops --insecure-skip-tls-verify"],
  ['to explain it, whatever the scope was', stuck, scoped, 'explain demo/work-x2k9p --as ops'],
  ['to explain it with the image of a swap', stuck, { noopImage }, 'explain demo/work-x2k9p --noop-image registry.example/noop:1'],
  ['to explain it with what was allowed', stuck, { uncleanExit: 'allow', lastResort: ['evict', 'delete'], lock: 'ops', noLock: true }, 'explain demo/work-x2k9p --last-resort evict --last-resort delete --unclean-exit allow --lock ops'],
  ['advice once all have ended, which plans no swap', allEnded, { noopImage, uncleanExit: 'allow' }, 'advise'],
  ['advice about the same namespaces', allEnded, { namespaces: ['a', 'b'] }, 'advise -n a -n b'],
  ['advice about all of them', allEnded, { allNamespaces: true }, 'advise -A'],
  ['advice about the same pods', allEnded, scoped, "advise -n a -l 'job-name in (x)' --include-pending --as ops"],
  ['to see what may not be read', forbidden, { minAge: 0 }, 'check-access'],
  ['to see it as the same user', forbidden, { as: 'ops', insecureSkipTlsVerify: true }, 'check-access --as ops --insecure-skip-tls-verify'],
])('the next step is %s', (_what, report, flags, command) => {
  const found = nextStep(report, flags, 'sidecar-sweeper')?.command;
  expect(found).toBe(command && `sidecar-sweeper ${command}`);
});

it('kubectl reaches the same cluster, as the same user', () => {
  expect(kubectlAlike({ ...judging, namespaces: ['demo'] })).toBe(
    "kubectl --kubeconfig '/tmp/my config' --context west --as ops --insecure-skip-tls-verify",
  );
});

it('once all have ended, the cure is for the next time, as the program was called', () => {
  // It is about pods that are stuck, and none is now.
  const why = expect.stringMatching(/^Next time pods are stuck here, first see why, .*:$/);
  const command = 'kubectl sweep-sidecars advise';
  expect(nextStep(allEnded, {}, 'kubectl sweep-sidecars')).toEqual({ why, command });
});

it('the next step is to do what a dry run has shown, or to go on after a cap', () => {
  const next = (report: SweepReport) => nextStep(report, {}, 'sidecar-sweeper');
  const dry = reportOf(started({ dryRun: true }), ...listed(candidate()), planMade(candidate()), finished);
  expect(next(dry)).toEqual({ why: 'Nothing was changed. To sweep, omit --dry-run.' });
  expect(next(withOutcome({ kind: 'NotAttempted', reason: 'OverMaxPods' }))?.why).toContain('again');
  const held = dry.pods.map((pod) =>
    withSidecars(pod, ({ steps }) => ({
      steps: steps.map((step) => ({ ...step, blocked: 'KnownUnclean' })),
    })),
  );
  expect(next({ ...dry, pods: held })).toEqual({
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
