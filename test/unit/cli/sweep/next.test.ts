import { expect, it } from 'vitest';
import { nextOf } from '../../../../src/cli/sweep/next.ts';
import type { PodOutcome } from '../../../../src/model/outcome.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';
import { candidate } from '../../../builders/plan.ts';
import { finished, listed, planMade, reportOf, started } from '../../../builders/report.ts';

const base = reportOf(started(), ...listed(candidate()), planMade(candidate()), finished);
const idle = reportOf(started(), ...listed(), planMade(), finished);
const ended: PodOutcome = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } };
const withOutcome = (outcome: PodOutcome): SweepReport => ({
  ...base,
  pods: base.pods.map((pod) => ({ ...pod, outcome })),
});

it('is nothing if nothing is stuck', () => {
  expect(nextOf(idle, {})).toBeUndefined();
});

it('is to explain what is left', () => {
  const command = 'sidecar-sweeper explain demo/work-x2k9p';
  expect(nextOf(withOutcome({ kind: 'Stuck' }), {})?.command).toBe(command);
  const flags = { context: 'west', kubeconfig: '/tmp/my config', minAge: 90_000, policy: 'p.yaml' };
  expect(
    nextOf(withOutcome({ kind: 'Held', reason: 'KnownUnclean' }), { ...flags, namespace: ['demo'] })?.command,
  ).toBe(`${command} --min-age 1m30s --policy p.yaml --kubeconfig '/tmp/my config' --context west`);
});

it('names the program as it was called', () => {
  const flags = { program: 'kubectl sweep-sidecars' };
  expect(nextOf(withOutcome(ended), flags)?.command).toBe('kubectl sweep-sidecars advise');
});

it('is the cure once all have ended', () => {
  expect(nextOf(withOutcome(ended), { namespace: ['a', 'b'] })?.command).toBe(
    'sidecar-sweeper advise -n a -n b',
  );
});

it('is to see what may not be read', () => {
  const unread = [{ problem: 'Forbidden', message: 'no' }];
  expect(nextOf({ ...idle, unread }, { minAge: 0 })?.command).toBe('sidecar-sweeper check-access');
});

it('is to do what a dry run has shown, or to go on after a cap', () => {
  const dry = reportOf(started({ dryRun: true }), ...listed(candidate()), planMade(candidate()), finished);
  expect(nextOf(dry, {})).toEqual({ why: 'Nothing was changed. To do it, leave out --dry-run.' });
  expect(nextOf(withOutcome({ kind: 'NotAttempted', reason: 'OverMaxPods' }), {})?.why).toContain('again');
});

it('is nothing after a no', () => {
  const declined = withOutcome({ kind: 'NotAttempted', reason: 'Declined' });
  expect(nextOf({ ...declined, run: { ...declined.run, stoppedEarly: 'Declined' } }, {})).toBeUndefined();
});
