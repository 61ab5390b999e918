import { describe, expect, it } from 'vitest';
import type { JobView } from '../../../../src/model/job.ts';
import type { ContainerOutcome, PodOutcome } from '../../../../src/model/outcome.ts';
import type { PodView } from '../../../../src/model/pod.ts';
import type { Candidate } from '../../../../src/model/verdict.ts';
import { draftPod } from '../../../../src/plan/draft.ts';
import type { Policy } from '../../../../src/policy/policy.ts';
import type { PodReport, SweepReport } from '../../../../src/report/schema.ts';
import { countPlanned, type SidecarReport, sidecarsOf } from '../../../../src/report/sweep/planned.ts';
import { jobFacts, keyOfJob } from '../../../builders/job.ts';
import { containerOutcomes } from '../../../builders/kinds.ts';
import { candidate } from '../../../builders/plan.ts';
import { knowing, known, planSweep, specs } from '../../../builders/planned.ts';
import { container, exited, podView, running } from '../../../builders/pod-view.ts';
import { policy } from '../../../builders/policy.ts';
import { notesOf, plain as plainStyle, plannedLines, renderTable } from '../../../builders/rendered.ts';
import { finished, listed, reportOf, started, sweepOf, withSidecars } from '../../../builders/report.ts';

const killing = knowing({ signal: ['KILL'], exitCode: 137 });
const [swap] = specs({ imageSwap: { image: 'noop:1', commands: 'shipped' } });
const base = sweepOf([candidate()]);
const [first] = base.pods as readonly [PodReport];

function podWith(sidecar: Partial<SidecarReport>, more: Partial<PodReport> = {}): PodReport {
  return { ...withSidecars(first, () => sidecar), ...more };
}

function reportWith(outcome: ContainerOutcome, podOutcome: PodOutcome = { kind: 'Stuck' }): SweepReport {
  return { ...base, pods: [podWith({ outcome }, { outcome: podOutcome })] };
}

function plain(report: SweepReport): readonly string[] {
  return renderTable(report, plainStyle).split('\n');
}

const stopped = { kind: 'Stopped', exitCode: 0 } as const;
const complete: PodOutcome = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } };
const blocked = {
  outcome: { kind: 'StillRunning', because: { kind: 'Blocked', reason: 'KnownUnclean' } },
  advice: 'allow image swaps: --noop-image',
  steps: sidecarsOf(first).flatMap(({ steps }) =>
    steps.map((step) => ({ ...step, blocked: 'KnownUnclean' as const, expectedExitCode: 143 })),
  ),
} as const;

describe('what a sweep did', () => {
  const atLength = `admission webhook "validate.kyverno.svc-fail" denied the request: ${'no exec. '.repeat(45)}end`;
  const budget = "Cannot evict pod as it would violate the pod's disruption budget.";

  it.each([
    ['keeps the advice below what a webhook has to say at length', 'Refused', atLength, 'To end it: do it'],
    [
      'puts one full stop between that and what a server says',
      'Undelivered',
      budget,
      'budget. To end it: do it',
    ],
    ['puts none after a question', 'Undelivered', 'is it up?', 'is it up? To end it: do it'],
  ] as const)('%s', (_title, kind, message, shown) => {
    const outcome = { kind: 'StillRunning', because: { kind, message } } as const;
    const pod = podWith({ outcome, advice: 'do it' }, { outcome: { kind: 'Stuck' } });
    expect(plain({ ...base, pods: [pod] }).join('\n')).toContain(shown);
  });

  it('is a row for the sidecars, and none for main containers, and then the result', () => {
    const lines = plain(reportWith(stopped, complete));
    const expected = /^PODS +SIDECAR +IMAGE +OUTCOME +NOW +STUCK FOR +OWNER +CPU +MEMORY +FOR EXAMPLE$/;
    expect(lines[0]).toMatch(expected);
    expect(lines[1]).toMatch(/^1 +sidecar .* stopped, exit code 0 +Job Complete +1h .* demo\/work-x2k9p$/);
    expect(lines.slice(2)).toEqual([
      '',
      '1 pod ended, Complete. Freed 0.25 cores, 0.13 GiB.',
      '1 pod listed, 1 stuck. It took 4s.',
      '',
    ]);
  });

  it('says that a Job runs again because a main of its pod failed', () => {
    const again = { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } } as const;
    const prediction = { phase: 'Failed', job: 'RunsAgain' } as const;
    const pod = podWith({ outcome: stopped }, { outcome: again, prediction });
    const containers = pod.containers.map((one) => (one.role === 'Main' ? { ...one, exitCode: 7 } : one));
    const failed = { ...base, pods: [{ ...pod, containers }] };
    expect(plain(failed)[1]).toMatch(/ Job runs again, main failed /);
    const expected = '1 pod ended, Job runs again because its main failed. Freed 0.25 cores, 0.13 GiB.';
    expect(plain(failed)).toContain(expected);
    const { pods } = failed;
    expect(plain({ ...failed, pods: [...pods, ...pods] })).toContain(
      '2 pods ended, each Job runs again because its main failed. Freed 0.5 cores, 0.25 GiB.',
    );
    const dry = { ...failed, run: { ...base.run, dryRun: true } };
    expect(plain(dry)[1]).toMatch(/ Job runs again, main failed /);
  });

  it('is a row for each sidecar with -o wide', () => {
    const [head, row] = renderTable(reportWith(stopped, complete), { ...plainStyle, wide: true }).split('\n');
    const expected = /^NAMESPACE +POD +STUCK FOR +SIDECAR +CPU +MEMORY +OUTCOME +NOW +OWNER +NODE +IMAGE$/;
    expect(head).toMatch(expected);
    expect(row).toMatch(
      /^demo +work-x2k9p +1h +sidecar +250m +128Mi +stopped, exit code 0 +Job Complete +Job\/work +node1 /,
    );
  });

  it.each([
    ['2026-11-21T05:30:00.000Z', '2h30m'],
    ['2026-11-21T03:00:59.999Z', '1m'],
    [undefined, '?'],
  ])('shows how long a pod has been stuck by the server’s time: %s, %s', (asOf, age) => {
    expect(plain({ ...base, asOf })[1]).toContain(` ${age} `);
  });

  it('ends with what ended, what did not, why and how to end it, and what is left', () => {
    const ended = Array.from({ length: 3 }, () => podWith({ outcome: stopped }, { outcome: complete }));
    const isActive: PodOutcome = { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Active' } };
    const active = podWith({ outcome: stopped }, { outcome: isActive });
    const isBlocked: PodOutcome = { kind: 'Blocked', reason: 'KnownUnclean' };
    const held = podWith(blocked, { outcome: isBlocked, uncleanCost: { kind: 'AnotherRun' } });
    const left = podWith({}, { outcome: { kind: 'NotAttempted', reason: 'OverMaxPods' } });
    const skip = podWith({ outcome: containerOutcomes.Skipped });
    const gone = { outcome: { kind: 'Replaced', uid: 'x' } } as const;
    const clean = (name: string) =>
      podWith({ outcome: stopped, advice: `annotate ${name}` }, { ...gone, name });
    const pods = [...ended, active, held, { ...held }, skip, left, clean('a-1'), clean('b-1')];
    const text = renderTable({ ...base, pods }, plainStyle);
    expect(text.split('\n').slice(-7)).toEqual([
      '4 pods ended: Complete (3), Job not finished (1). Freed 1 core, 0.5 GiB.',
      '2 pods blocked (sidecar): it exits with 143, which would run its finished Job again. To end them: allow image swaps: --noop-image',
      '2 pods (sidecar): annotate a-1',
      '1 pod skipped (sidecar): workflows.argoproj.io/kill-cmd-sidecar is not JSON',
      '1 pod is left for the next sweep (--max-pods).',
      '1 pod listed, 10 stuck. It took 4s.',
      '',
    ]);
    expect(text).toMatch(/^2 +sidecar +\S+ +blocked +still stuck /m);
    expect(text).not.toMatch(/KnownUnclean|NotAttempted|OverMaxPods/);
  });

  it('begins the result with harm', () => {
    const harm = { kind: 'RunsAgain', permitted: false } as const;
    const harmed = podWith({ outcome: stopped }, { outcome: complete, harm });
    const text = renderTable({ ...base, pods: [harmed, harmed] }, { ...plainStyle, colour: true });
    const said = '2 pods with finished work whose Job runs again, because of this sweep: demo/work-x2k9p';
    expect(text).toContain(`\u001b[31m${said}\u001b[39m\n`);
  });

  it('says what harm is only expected, and how the pod was seen last', () => {
    const harm = { kind: 'RunsAgain', permitted: false, expected: true } as const;
    const lines = plain({
      ...base,
      pods: [podWith({ outcome: stopped }, { outcome: { kind: 'Unsettled' }, harm })],
    });
    expect(lines[1]).toContain(' stopped, exit code 0   ended, phase not yet updated ');
    expect(lines).toContain('1 pod ended, still without a final phase.');
    const said =
      '1 pod with finished work whose Job most likely runs again, because of this sweep: demo/work-x2k9p';
    expect(lines).toContain(said);
  });

  it('is only the result if there was nothing to do, with the cause of an early stop', () => {
    const nothing = 'No pod in any namespace of context kind could be stuck. It took 4s';
    expect(plain(sweepOf([]))).toEqual([`${nothing}.`, '']);
    expect(plain(sweepOf([], { kind: 'Stopping', reason: 'Deadline' }))).toEqual([
      `${nothing} (stopped early: the sweep reached its --deadline).`,
      '',
    ]);
  });
});

/** What a dry run shows of one stuck pod, whose plan comes of this. */
function dryLines(
  stuck: Candidate,
  written: Partial<Policy>,
  facts: Parameters<typeof known>[0] = {},
): readonly string[] {
  const mode = written.uncleanExit ?? 'allow';
  const plan = planSweep([draftPod(stuck, policy(written))], known({ mode, ...facts }));
  const run = started({ dryRun: true });
  return plain(reportOf(run, ...listed(stuck), { kind: 'PlanMade', plan }, finished));
}

describe('what a sweep would do', () => {
  // biome-ignore format: one row a line
  it.each<readonly [written: Partial<Policy>, job: Partial<JobView>, expected: RegExp]>([
    [{}, {}, / signal TERM: if it exits with a code other than 0, the pod fails.* +unknown +1h/],
    [{ uncleanExit: 'forbid' }, {}, / blocked: its exit code is unknown, and any other than 0 would run its finished Job again +Job active /],
    [{ uncleanExit: 'forbid' }, { backoffLimit: 0 }, / blocked: .*, and any other than 0 would fail its Job for good /],
    [{ uncleanExit: 'forbid' }, { otherController: 'example.com/queue' }, / blocked: .*, and any other than 0 would make finished work run again or fail /],
    [{}, { backoffLimit: 0 }, / signal TERM: .* no retries left +Job unknown /],
    [{ ...killing, uncleanExit: 'allow' }, {}, / signal KILL: it exits with 137, so the pod fails.* +Job runs again /],
    [{ ...killing, uncleanExit: 'allow' }, { backoffLimit: 0 }, / signal KILL: .* +Job Failed /],
    [{ ...killing, uncleanExit: 'allow' }, { perIndex: { retries: 0, maxFailed: undefined, failed: 0 } }, / signal KILL: .* +index fails /],
    [{ swap }, {}, / swap the image for noop:1: its own logs are gone after the swap +Job Complete /],
  ])('with %j of a Job with %j', (more, job, expected) => {
    const jobs = new Map([[keyOfJob(candidate().pod), jobFacts(job)]]);
    const lines = dryLines(candidate(), more, { jobs });
    expect(lines[0]).toMatch(/ WOULD DO +THEN +STUCK FOR /);
    expect(lines[1]).toMatch(expected);
    expect(lines.at(-2)).toBe('1 pod listed, 1 stuck. It took 4s (dry run: nothing was sent).');
  });

  const term = knowing({ signal: ['TERM'], exitCode: 143 });
  const evict = { lastResort: specs({ evict: true }) };
  const own = container('sidecar', running, { restartPolicy: 'OnFailure' });
  const ownPolicy: Partial<PodView> = {
    restartPolicy: 'Never',
    containers: [container('main', exited()), own],
  };
  const restarting: Partial<PodView> = {
    ...ownPolicy,
    containers: [container('main', exited()), { ...own, restartPolicy: 'Always' }],
  };
  // biome-ignore format: one row a line
  it.each<readonly [more: Partial<Policy>, pod: Partial<PodView>, expected: RegExp]>([
    [{ ...term, uncleanExit: 'allow' }, {}, / signal TERM: it exits with 143, so the kubelet restarts it, and its Job counts the restart +Job active /],
    [{ ...term, uncleanExit: 'forbid' }, {}, / blocked: it exits with 143, which would count as a restart in its Job /],
    [{ ...evict, uncleanExit: 'allow' }, { processNamespace: 'Node' }, / evict the pod: it exits with 137, so the pod fails +Job runs again /],
    [{ ...evict, uncleanExit: 'forbid' }, { processNamespace: 'Node' }, / blocked: it exits with 137, which would make finished work run again or fail /],
    [{ ...term, uncleanExit: 'allow' }, ownPolicy, / signal TERM: it exits with 143, so the kubelet restarts it +Job active /],
    [{ ...term, uncleanExit: 'forbid' }, ownPolicy, / blocked: it exits with 143, which would only restart it /],
    [{ ...evict, uncleanExit: 'allow' }, restarting, / evict the pod: it exits with 137, so the pod fails +Job runs again /],
  ])('under OnFailure, of the pod or of the sidecar alone, with %j, to a pod with %j', (more, pod, expected) => {
    const stuck = candidate(podView({ restartPolicy: 'OnFailure', ...pod }));
    expect(dryLines(stuck, more)[1]).toMatch(expected);
  });

  const dry = (pods: readonly PodReport[]): SweepReport => {
    return { ...base, run: { ...base.run, dryRun: true }, pods };
  };

  it('has one row, with the first reason, for blocked pods whose image swap admission refuses', () => {
    const frozen = (name: string) => {
      const unfit = {
        method: 'ImageSwap',
        reason: 'NotAdmitted',
        detail: `${name} is frozen`,
        does: 'swap',
      } as const;
      return podWith(
        { ...blocked, outcome: { kind: 'NotAttempted', reason: 'DryRun' }, unfit: [unfit] },
        { name },
      );
    };
    const lines = plannedLines(dry([frozen('a'), frozen('b')]), plainStyle);
    expect(lines[1]).toMatch(
      /^2 .* run its finished Job again; its image swap is not admitted: a is frozen /,
    );
  });

  it('has rows of their own for pods that are blocked for different reasons', () => {
    const failing = { kind: 'Job', because: 'NoRetriesLeft' } as const;
    const held = podWith({ ...blocked, outcome: { kind: 'NotAttempted', reason: 'DryRun' } });
    const lines = plannedLines(dry([held, { ...held, uncleanCost: failing }]), plainStyle);
    expect(lines[1]).toMatch(/^1 .* blocked: it exits with 143, which would run its finished Job again /);
    expect(lines[2]).toMatch(/^1 .* blocked: it exits with 143, which would fail its Job for good /);
  });

  it('swaps no sidecar that cannot be swapped, or is skipped, for the sake of another', () => {
    const key = 'sidecar-sweeper.dev/kill-cmd-c';
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'a,b,c', [key]: 'not JSON' };
    const mounted = container('a', running, { command: ['/tools/run'], mounts: ['/tools'] });
    const others = ['b', 'c'].map((name) => container(name, running));
    const two = podView({ annotations, containers: [container('main', exited()), mounted, ...others] });
    const lines = dryLines(candidate(two), { uncleanExit: 'forbid', lastResort: swap ? [swap] : [] });
    const rows = lines.filter((line) => /^1 +[abc] /.test(line)).sort();
    expect(rows).toEqual([
      expect.stringContaining('blocked: its exit code is unknown'),
      expect.stringContaining('swap the image for noop:1'),
      expect.stringContaining('skipped: '),
    ]);
  });

  it('says how much the pods hold, and what is left for the next sweep', () => {
    const none = podWith({}, { name: 'other', requests: { cpu: 0, memory: 0 } });
    const left = podWith({}, { outcome: { kind: 'NotAttempted', reason: 'OverMaxPods' } });
    const told = (pods: readonly PodReport[]) => plannedLines(dry(pods), plainStyle).slice(2);
    const held = 'stuck for up to 1h, holding 0.25 cores, 0.13 GiB';
    expect(told([first])).toEqual([`1 pod ${held}.`]);
    expect(told([first, none])).toEqual([`2 pods ${held}; 1 pod without requests.`]);
    expect(told([none])).toEqual(['1 pod stuck for up to 1h, without requests.']);
    expect(told([first, left, left]).at(-1)).toBe('2 more pods are left for the next sweep (--max-pods).');
  });

  it('counts only pods that something would be sent to', () => {
    expect(countPlanned(dry([first, podWith(blocked)]))).toEqual({ pods: 1, sidecars: 1 });
  });
});

describe('notes', () => {
  const excluded: SweepReport = {
    ...base,
    totals: { ...base.totals, excluded: 2, excludedBecause: { NoSidecar: 1, TooYoung: 1 } },
  };

  it('count the pods that were left alone, or name them', () => {
    const reasons =
      '2 pods left alone: 1 because the pod has no known sidecar (NoSidecar), 1 because the last main ended too recently (TooYoung)';
    expect(notesOf(excluded, plainStyle)).toEqual([`${reasons}; sweep -v lists them`]);
    const pod = { namespace: 'demo', name: 'work', because: [{ kind: 'NoSidecar' }] } as const;
    expect(notesOf({ ...excluded, excluded: [pod] }, plainStyle)).toEqual([
      'left alone: demo/work: it has no known sidecar (NoSidecar)',
      `${reasons}; explain NAMESPACE/POD says more`,
    ]);
  });

  it('are wrapped on a terminal, and yellow if they need a look', () => {
    const undecided = [{ namespace: 'demo', name: 'odd', problem: 'no containers' }];
    const lines = notesOf({ ...base, undecided }, { ...plainStyle, colour: true, width: 40 });
    expect(lines[0]).toBe('\u001b[33m1 pod cannot be judged: no containers:\u001b[39m');
    expect(lines.length).toBeGreaterThan(1);
  });
});

it.each([
  ['green', 32, { kind: 'Stopped', exitCode: 0 }],
  ['yellow', 33, { kind: 'Stopped', exitCode: 143 }],
  ['yellow', 33, containerOutcomes.Skipped],
  ['green', 32, containerOutcomes.Gone],
  ['red', 31, containerOutcomes.StillRunning],
  ['red', 31, containerOutcomes.Restarted],
  ['red', 31, containerOutcomes.Unproven],
] as const)('the colour is %s (%i) for %j, if colour is wanted', (_name, code, outcome) => {
  const [, row] = renderTable(reportWith(outcome), { ...plainStyle, colour: true }).split('\n');
  expect(row).toContain(`\u001b[${code}m`);
  expect(plain(reportWith(outcome)).join('\n')).not.toContain('\u001b');
});
