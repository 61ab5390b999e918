import { describe, expect, it } from 'vitest';
import type { StillRunningBecause } from '../../../../src/model/outcome.ts';
import { describeContainer, describeJob, describePod } from '../../../../src/report/texts/outcomes.ts';
import { describeEvidence, describeExclusion, describeSkip } from '../../../../src/report/texts/reasons.ts';
import { describeLeftOut, describeUnread, describeWarning } from '../../../../src/report/texts/warnings.ts';
import * as kinds from '../../../builders/kinds.ts';

const { NoJob: _noJob, ...jobReactions } = kinds.jobReactions;

const unions: readonly (readonly [name: string, texts: readonly string[]])[] = [
  ['exclusions', Object.values(kinds.exclusions).map(describeExclusion)],
  ['reasons to skip', Object.values(kinds.skipReasons).map(describeSkip)],
  ['outcomes of containers', Object.values(kinds.containerOutcomes).map(describeContainer)],
  ['outcomes of pods', Object.values(kinds.podOutcomes).map(describePod)],
  ['reactions of Jobs', Object.values(jobReactions).map(describeJob)],
  ['pieces of evidence', Object.values(kinds.evidence).map(describeEvidence)],
  ['warnings', Object.values(kinds.warnings).map(describeWarning)],
];

describe.each(unions)('the texts for %s', (_name, texts) => {
  it('are one line each, and differ by kind', () => {
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text).toMatch(/^\S.*\S$/);
  });

  it('have no missing parts', () => {
    for (const text of texts) expect(text).not.toMatch(/undefined|null|NaN|\[object|\s{2}/);
  });
});

describe('a text contains the facts of its kind', () => {
  const { containerOutcomes, stillRunningBecause, exclusions, skipReasons, warnings } = kinds;
  const still = (because: StillRunningBecause) => ({ kind: 'StillRunning', because }) as const;
  it.each([
    [describeContainer(containerOutcomes.Stopped), '143'],
    [describeContainer(containerOutcomes.AlreadyEnded), '3'],
    [describeContainer(containerOutcomes.Restarted), '137'],
    [describeContainer(still(stillRunningBecause.Refused)), 'pods/exec is forbidden'],
    [
      describeContainer(still({ kind: 'NoSuchProgram', program: '/bin/sh' })),
      'without a shell: the image has no /bin/sh',
    ],
    [describeContainer(still(stillRunningBecause.NoSuchProgram)), 'pilot-agent'],
    [describeContainer(still(stillRunningBecause.Undelivered)), 'connection refused'],
    [describeContainer(containerOutcomes.Skipped), 'workflows.argoproj.io/kill-cmd-sidecar is not JSON'],
    [describeContainer(containerOutcomes.NotAttempted), '--deadline'],
    [describeContainer(containerOutcomes.Unproven), 'no answer'],
    [describeExclusion(exclusions.MainWaiting), 'work is waiting (CrashLoopBackOff)'],
    [describeExclusion({ ...exclusions.MainWaiting, reason: 'no status' }), 'work has no status'],
    [
      describeExclusion({ kind: 'NotRunning', phase: 'Failed', reason: 'Evicted' }),
      'its phase is Failed (Evicted)',
    ],
    [describeExclusion(exclusions.MainWillRestart), 'work ended with 7'],
    [describeExclusion(exclusions.RestartsOthers), 'when sidecar ends'],
    [describeExclusion(exclusions.RestartsOthers), 'RestartAllContainers'],
    [describeSkip(skipReasons.NoLongerCandidate), describeExclusion(exclusions.MainRunning)],
    [describeSkip(skipReasons.NotRunning), 'ImagePullBackOff'],
    [describeJob(kinds.jobReactions.Failed), 'BackoffLimitExceeded'],
    [describeWarning(warnings.JobsUnreadable), 'jobs.batch is forbidden'],
    [describeWarning(warnings.JobHarmed), 'demo/work-x2k9p'],
    [
      describeWarning(warnings.BackoffLimitRaised),
      'demo/work: raised the backoffLimit of this Job from 0 to 2',
    ],
  ])('%s', (text, fact) => {
    expect(text).toContain(fact);
  });

  it('but omits an unknown exit code', () => {
    expect(describeContainer({ kind: 'Restarted', restartCount: 1 })).toBe('restarted by the kubelet');
  });
});

it('a pod without a Job has an empty column', () => {
  expect(describeJob({ kind: 'NoJob' })).toBe('');
});

describe('a failed list', () => {
  it.each(kinds.problemKinds)('%s: has the scope and the server’s message', (kind) => {
    const problem = { kind, message: 'the server’s words' };
    expect(describeUnread({ namespace: undefined, problem })).toMatch(
      /^cannot list pods in all namespaces: the server’s words/,
    );
    expect(describeUnread({ namespace: 'jobs', problem })).toMatch(
      /^cannot list pods in namespace jobs: the server’s words/,
    );
  });

  it('without permission names the verbs to grant', () => {
    const problem = { kind: 'Forbidden', message: 'pods is forbidden' } as const;
    const text = describeUnread({ namespace: undefined, problem });
    expect(text).toContain('grant get, list on pods');
    expect(text).toContain('- {apiGroups: [""], resources: [pods], verbs: [get, list]}');
    expect(text).toContain('-n');
  });

  it('of namespaces, or a namespace, says what follows from it, and the rule to grant', () => {
    const problem = { kind: 'Forbidden', message: 'no' } as const;
    const all = describeUnread({ namespace: undefined, problem, what: 'Namespace' });
    expect(all).toMatch(/^cannot list the namespaces .* nothing is looked at: no; grant list on namespaces/);
    const one = describeUnread({ namespace: 'jobs', problem, what: 'Namespace' });
    expect(one).toMatch(/^cannot read namespace jobs, so its pods are left alone.* grant get on namespaces/);
  });

  it('for a namespace that does not exist says only that', () => {
    const problem = { kind: 'NotFound', message: 'namespace nope does not exist' } as const;
    expect(describeUnread({ namespace: 'nope', problem, what: 'Namespace' })).toBe(problem.message);
  });

  it('without valid credentials says so', () => {
    const problem = { kind: 'Unauthorized', message: 'Unauthorized' } as const;
    expect(describeUnread({ namespace: undefined, problem })).toContain('--context');
  });
});

it('what a report has no room for is counted in a line', () => {
  expect(describeLeftOut({ remarks: 0, warnings: 0 })).toEqual([]);
  expect(describeLeftOut({ remarks: 1, warnings: 0 })).toEqual([
    'left out, because there are too many: 1 remark',
  ]);
  expect(describeLeftOut({ remarks: 2, warnings: 3 })).toEqual([
    'left out, because there are too many: 3 warnings, 2 remarks',
  ]);
});
