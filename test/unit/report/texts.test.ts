import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  blockedReason,
  type StillRunningBecause,
  skipReason,
  stillRunningBecause,
} from '../../../src/model/outcome.ts';
import { type UncleanCost, unfit } from '../../../src/model/step.ts';
import { exclusion, hang } from '../../../src/model/verdict.ts';
import type { PlannedStepReport } from '../../../src/report/schema.ts';
import { describeContainer, describeJob, describePod } from '../../../src/report/texts/outcomes.ts';
import {
  describeEvidence,
  describeExclusion,
  describeSkip,
  reasonPages,
} from '../../../src/report/texts/reasons.ts';
import { describeCost, describePlannedStep, describePrediction } from '../../../src/report/texts/steps.ts';
import { describeLeftOut, describeUnread, describeWarning } from '../../../src/report/texts/warnings.ts';
import * as kinds from '../../builders/kinds.ts';

const { NoJob: _noJob, ...jobReactions } = kinds.jobReactions;
const step: PlannedStepReport = {
  method: 'Signal',
  does: 'signal TERM',
  source: { kind: 'Profile', profile: 'istio' },
  graceMs: 90_000,
  expectedExitCode: 143,
};
const { expectedExitCode: _, ...unknownCode } = step;

const own = ['NoRetriesLeft', 'FailurePolicy', 'JobUnreadable'] as const;
const others = ['ArgoWorkflow', 'OtherOwner', 'Platform'] as const;
const costs: readonly UncleanCost[] = [
  ...(['Restart', 'AnotherRun', 'Index'] as const).map((kind) => ({ kind })),
  ...[...own, ...others].map((because) => ({ kind: 'Job', because }) as const),
];

it.each([
  ['exclusions', Object.values(kinds.exclusions).map(describeExclusion)],
  ['reasons to skip', Object.values(kinds.skipReasons).map(describeSkip)],
  ['outcomes of containers', Object.values(kinds.containerOutcomes).map(describeContainer)],
  ['outcomes of pods', Object.values(kinds.podOutcomes).map(describePod)],
  ['reactions of Jobs', Object.values(jobReactions).map(describeJob)],
  ['pieces of evidence', Object.values(kinds.evidence).map(describeEvidence)],
  ['warnings', Object.values(kinds.warnings).map(describeWarning)],
  ['costs of an unclean end', costs.map(describeCost)],
])('the texts for %s are one line each, differ by kind, and have no missing parts', (_name, texts) => {
  expect(new Set(texts).size).toBe(texts.length);
  for (const text of texts) {
    expect(text).toMatch(/^\S.*\S$/);
    expect(text).not.toMatch(/undefined|null|NaN|\[object|\s{2}/);
  }
});

describe('a text contains the facts of its kind:', () => {
  const { containerOutcomes, exclusions, skipReasons, warnings } = kinds;
  const still = (because: StillRunningBecause) => describeContainer({ kind: 'StillRunning', because });
  // biome-ignore format: one row a line
  it.each([
    [describeContainer(containerOutcomes.Stopped), '143'],
    [describeContainer(containerOutcomes.AlreadyEnded), '3'],
    [describeContainer(containerOutcomes.Restarted), '137'],
    [still(kinds.stillRunningBecause.Refused), 'pods/exec is forbidden'],
    [still(kinds.stillRunningBecause.NoSuchProgram), 'pilot-agent'],
    [still(kinds.stillRunningBecause.Undelivered), 'connection refused'],
    [describeContainer(containerOutcomes.Skipped), 'workflows.argoproj.io/kill-cmd-sidecar is not JSON'],
    [describeContainer({ kind: 'Skipped', reason: { kind: 'NotRunning', state: 'Terminated' } }), 'it is not running (Terminated)'],
    [describeContainer(containerOutcomes.NotAttempted), '--deadline'],
    [describeContainer(containerOutcomes.Unproven), 'no answer'],
    [describeExclusion(exclusions.MainWaiting), 'work is waiting (CrashLoopBackOff)'],
    [describeExclusion({ ...exclusions.MainWaiting, reason: 'no status' }), 'work has no status'],
    [describeExclusion({ kind: 'NotRunning', phase: 'Failed', reason: 'Evicted' }), 'phase is Failed (Evicted)'],
    [describeExclusion(exclusions.MainWillRestart), 'work ended with 7'],
    [describeExclusion(exclusions.RestartsOthers), 'when sidecar ends'],
    [describeExclusion(exclusions.RestartsOthers), 'RestartAllContainers'],
    [describeSkip(skipReasons.NoLongerCandidate), describeExclusion(exclusions.MainRunning)],
    [describeSkip(skipReasons.NotRunning), 'ImagePullBackOff'],
    [describeJob(kinds.jobReactions.Failed), 'BackoffLimitExceeded'],
    [describeWarning(warnings.JobsUnreadable), 'jobs.batch is forbidden'],
    [describeWarning(warnings.NoPermission), 'this account may not use Http in demo: it needs get, create on pods/portforward'],
    [describeWarning(warnings.JobHarmed), 'demo/work-x2k9p'],
    [describeWarning(warnings.BackoffLimitRaised), 'demo/work: raised the backoffLimit of this Job from 0 to 2'],
    [describePlannedStep(unknownCode), '(profile istio; exit code unknown)'],
    [describePlannedStep({ ...step, source: { kind: 'Annotation', key: 'a/b' } }), '(its annotation a/b;'],
    [describePlannedStep({ ...step, source: { kind: 'Default' } }), '(tried on any sidecar;'],
    [describePlannedStep({ ...step, source: { kind: 'Swap' } }), '(image swap allowed;'],
    [describePlannedStep({ ...step, source: { kind: 'LastResort' } }), '(last resort;'],
    [describePlannedStep({ ...step, blocked: 'KnownUnclean' }), '; blocked: it is known to exit with a code other than 0)'],
    [describePlannedStep({ ...step, raisesBackoffLimit: true }), '; the backoffLimit of its Job is raised first if the restart would exceed it)'],
    [describePlannedStep({ ...step, method: 'ImageSwap' }), "; the sidecar's own logs are then gone)"],
  ])('%s', (text, fact) => {
    expect(text).toContain(fact);
  });

  it('but nothing that is unknown, or is not so', () => {
    expect(describeContainer({ kind: 'Restarted', restartCount: 1 })).toBe('restarted by the kubelet');
    expect(describeJob({ kind: 'NoJob' })).toBe('');
    expect(describeCost({ kind: 'Nothing' })).toBe('');
    const expected = 'signal TERM (profile istio; ends with 143), then wait up to 1m30s for it to end';
    expect(describePlannedStep(step)).toBe(expected);
  });
});

// biome-ignore format: one row a line
it.each([
  [describePrediction({ exitCode: 0, phase: 'Succeeded', job: 'Completes' }), 'exit code 0, pod Succeeded, Job Complete'],
  [describePrediction({ exitCode: 0, phase: 'Succeeded', job: 'NoJob' }), 'exit code 0, pod Succeeded'],
  [describePrediction({ phase: 'Unknown', job: 'Unknown' }), 'exit code unknown, phase unknown, Job unknown'],
  [describePrediction({ phase: 'Running', job: 'StaysActive' }), 'pod Running, Job active'],
  [describePrediction({ exitCode: 137, phase: 'Failed', job: 'RunsAgain' }), 'exit code 137, pod Failed, Job runs again'],
  [describePrediction({ exitCode: 137, phase: 'Failed', job: 'IndexFails' }), 'exit code 137, pod Failed, index fails'],
  [describePrediction({ exitCode: 137, phase: 'Failed', job: 'Fails' }), 'exit code 137, pod Failed, Job Failed'],
])('a prediction: %s', (text, words) => {
  expect(text).toBe(words);
});

describe('a failed list', () => {
  const forbidden = { kind: 'Forbidden', message: 'pods is forbidden' } as const;

  it.each(kinds.problemKinds)('%s: has the scope and the server’s message', (kind) => {
    const problem = { kind, message: 'the server’s words' };
    const texts = [undefined, 'jobs'].map((namespace) => describeUnread({ namespace, problem }));
    expect(texts[0]).toMatch(/^cannot list pods in all namespaces: the server’s words/);
    expect(texts[1]).toMatch(/^cannot list pods in namespace jobs: the server’s words/);
  });

  const unauthorized = { kind: 'Unauthorized', message: 'Unauthorized' } as const;
  const missing = { kind: 'NotFound', message: 'namespace nope does not exist' } as const;
  const ofNamespaces = { what: 'Namespace', problem: forbidden } as const;
  const rule = '- {apiGroups: [""], resources: [pods], verbs: [get, list]}';

  // biome-ignore format: one row a line
  it.each<readonly [title: string, Partial<Parameters<typeof describeUnread>[0]>, says: readonly (string | RegExp)[]]>([
    ['without permission names the verbs to grant', { problem: forbidden }, ['grant get, list on pods', rule, '-n']],
    ['of namespaces says what follows from it, and the rule to grant', ofNamespaces, [/^cannot list the namespaces .* no pod is examined: .*; grant list on namespaces/]],
    ['of a namespace, too', { ...ofNamespaces, namespace: 'jobs' }, [/^cannot read namespace jobs, so its pods are left alone.* grant get on namespaces/]],
    ['for a namespace that does not exist says only that', { what: 'Namespace', namespace: 'nope', problem: missing }, [/^namespace nope does not exist$/]],
    ['without valid credentials says so', { problem: unauthorized }, ['--context']],
  ])('%s', (_title, unread, says) => {
    const text = describeUnread({ namespace: undefined, problem: forbidden, ...unread });
    for (const one of says) expect(text).toMatch(one);
  });
});

it('warnings that were left out of a report are counted in a line', () => {
  expect(describeLeftOut({ warnings: 0 })).toEqual([]);
  expect(describeLeftOut({ warnings: 3 })).toEqual(['left out, because there are too many: 3 warnings']);
});

it('every reason has a section in docs/reasons.md, and every section is about a reason', () => {
  const ofUnions = [exclusion, hang, stillRunningBecause, skipReason].flatMap(({ options }) =>
    options.map(({ shape }) => shape.kind.value),
  );
  const others = ['NeverStarted', 'NotStartedAgain', 'Undecided', 'NotStarted', 'Unproven', 'Braked', 'Harm'];
  const reasons = [...ofUnions, ...blockedReason.options, ...unfit.shape.reason.options, ...others];
  const page = readFileSync(new URL('../../../docs/reasons.md', import.meta.url), 'utf8');
  const parts = [...page.matchAll(/^### (.*)/gm)].map(([, name]) => name);
  expect([...parts].sort()).toEqual([...new Set(reasons)].sort());
  expect([...reasonPages.keys()]).toEqual(parts);
});

it('a part of docs/reasons.md is read without its Markdown', () => {
  expect(reasonPages.get('OptedOut')).toEqual({
    title: 'the owner wants the pod left alone',
    text: expect.stringMatching(/^The pod has the annotation sidecar-sweeper\.dev\/skip\. .* swept\.$/),
    cure: expect.stringContaining('kubectl annotate -n <namespace> pod <pod> sidecar-sweeper.dev/skip-.'),
  });
  expect(reasonPages.get('NothingEnded')).toMatchObject({ cure: undefined });
  // Where annotationCommands is off, the reason is NotAllowed.
  expect(reasonPages.get('Off')).toMatchObject({ title: 'the endpoint is off' });
  expect(reasonPages.get('NotAllowed')?.text).toContain('annotationCommands');
});
