import { describe, expect, it } from 'vitest';
import type { JobView } from '../../../src/model/job.ts';
import type { BlockedReason } from '../../../src/model/outcome.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { JobFacts } from '../../../src/model/reading.ts';
import type { StepSource, UncleanExit } from '../../../src/model/step.ts';
import type { Candidate } from '../../../src/model/verdict.ts';
import {
  fits,
  gentlerThan,
  type Stakes,
  whyBlocked,
  whySwapFailsJob,
  withKillsBlocked,
  worstCost,
} from '../../../src/plan/blocked.ts';
import type { PlannedStep } from '../../../src/plan/sweep-plan.ts';
import { jobFacts, onExitCodes } from '../../builders/job.ts';
import { candidate, step, steps } from '../../builders/plan.ts';
import { container, exited, podView, podWith, podWithSidecar, running } from '../../builders/pod-view.ts';
import { stuck } from '../../builders/stuck.ts';

/** What is at stake: each kind of cost, for any code. */
// biome-ignore format: one row a line
const stakes: Readonly<Record<string, Pick<Stakes, 'candidate' | 'job'>>> = {
  nothing: { candidate: stuck({ owner: undefined }), job: undefined },
  'a restart': { candidate: stuck({ restartPolicy: 'OnFailure' }), job: jobFacts() },
  'another run': { candidate: stuck(), job: jobFacts() },
  'an index': { candidate: stuck(), job: jobFacts({ perIndex: { retries: 0, maxFailed: undefined, failed: 0 } }) },
  'the Job': { candidate: stuck(), job: jobFacts({ backoffLimit: 0 }) },
  'a Job that cannot be read': { candidate: stuck(), job: { kind: 'Unreadable' } },
  'another owner': { candidate: stuck({ owner: { group: 'batch.volcano.sh', kind: 'Job', name: 'w', uid: 'w' } }), job: undefined },
};

function blockedIn(
  stake: string,
  exitCode: number | undefined,
  mode: UncleanExit,
  source: StepSource = { kind: 'Default' },
): BlockedReason | undefined {
  const at = stakes[stake];
  if (!at) expect.fail(`nothing is called ${stake}`);
  return whyBlocked(step(15, { exitCode, source }), ['sidecar'], { ...at, mode });
}

it.each(Object.keys(stakes))('where an unclean end costs %s, a step is blocked by its exit code', (stake) => {
  const blocked = (mode: UncleanExit) => [0, undefined, 143].map((code) => blockedIn(stake, code, mode));
  const all = [undefined, undefined, undefined];
  expect(blocked('forbid')).toEqual(stake === 'nothing' ? all : [undefined, 'UnknownEnd', 'KnownUnclean']);
  expect(blocked('allow')).toEqual(all);
});

describe('in a pod of which a sidecar has crashed', () => {
  const crashed = (exitCode: number, more: Partial<PodView> = {}) => {
    return candidate(podWith([container('shipper', exited(exitCode)), 'sidecar'], more));
  };
  const owner = { group: 'argoproj.io', kind: 'Workflow', name: 'w', uid: 'w' };
  const ended = [container('main', exited()), container('wait', exited()), container('shipper', exited(137))];
  const containers = [...ended, container('sidecar', running)];
  const workflow = crashed(137, { owner, argo: { mains: ['main'] }, containers });
  const blocked = (of: Candidate, mode: UncleanExit) =>
    whyBlocked(step(15, { exitCode: 0 }), ['sidecar'], { candidate: of, job: jobFacts(), mode });

  it('no step is sent, because the pod fails then', () => {
    expect(blocked(crashed(137), 'forbid')).toBe('AlreadyUnclean');
  });

  it.each<readonly [title: string, of: Candidate, mode: UncleanExit]>([
    ['if it had ended with 0', crashed(0), 'forbid'],
    ['if it is started again', crashed(137, { restartPolicy: 'OnFailure' }), 'forbid'],
    ['if that costs nothing', crashed(137, { owner: undefined }), 'forbid'],
    ['if Argo ignores its code', workflow, 'forbid'],
    ['if the operator takes the risk', crashed(137), 'allow'],
  ])('a step is sent %s', (_title, of, mode) => {
    expect(blocked(of, mode)).toBeUndefined();
  });
});

// biome-ignore format: one row a line
it.each<readonly [title: string, more: Partial<JobView>, finished: number, failing: number, BlockedReason | undefined]>([
  ['its failure would fail its Job', { backoffLimit: 0 }, 1, 1, 'NoRoomInJob'],
  ['it would with another one that fails', { backoffLimit: 1 }, 1, 2, 'NoRoomInJob'],
  ['it would use up the indexes that may fail', { perIndex: { retries: 0, maxFailed: 1, failed: 0 } }, 1, 2, 'NoRoomInJob'],
  ['but not if the Job tries again', { backoffLimit: 2 }, 1, 2, undefined],
  ['but not if no other pod has finished its work', { backoffLimit: 0 }, 0, 2, undefined],
])('a pod whose main failed is left while other pods of its Job are stuck: %s', (_title, more, finished, failing, expected) => {
  const of = stuck({ containers: [container('main', exited(1)), container('sidecar', running)] });
  const job = { ...jobFacts(more), finished, failing } as JobFacts;
  const why = (mode: UncleanExit) => whyBlocked(step(15, { exitCode: 0 }), ['sidecar'], { candidate: of, job, mode });
  expect([why('forbid'), why('allow')]).toEqual([expected, undefined]);
});

describe('in a workflow, what Argo itself would do', () => {
  const owner = { group: 'argoproj.io', kind: 'Workflow', name: 'w', uid: 'w' };
  const workflow = stuck({ owner, argo: { mains: ['main'] } });
  const unwaited = candidate(podWith(['sidecar'], { owner, argo: { mains: ['main'] } }));
  const ofJob = stuck({ containers: workflow.pod.containers });
  const argos = { kind: 'Annotation', key: 'workflows.argoproj.io/kill-cmd-sidecar' } as const;
  const ours = { kind: 'Annotation', key: 'sidecar-sweeper.dev/kill-cmd-sidecar' } as const;
  const byDefault = { kind: 'Default' } as const;
  const by = (source: StepSource, exitCode?: number) => step(15, { exitCode, source });

  // biome-ignore format: one row a line
  it.each<[title: string, PlannedStep, BlockedReason | undefined, of?: Candidate, job?: JobFacts]>([
    ['may be sent', by(argos), undefined],
    ['may be sent, whatever its code', by(argos, 1), undefined],
    ['is nothing if nothing in the pod waits for its main, as in a resource template', by(argos), 'UnknownEnd', unwaited],
    ['is its default signals as well', steps.Signal, undefined],
    ['is no licence for a command of another key', by(ours), 'UnknownEnd'],
    ['is no licence for a step by default', by(byDefault), 'UnknownEnd'],
    ['is no licence for a signal of a profile', { ...steps.Signal, source: { kind: 'Profile', profile: 'p' } }, 'UnknownEnd'],
    ['is no licence for one with a code that it does not ignore', by(byDefault, 1), 'KnownUnclean'],
    ['ignores the code of TERM', by(byDefault, 143), undefined],
    ['ignores the code of KILL', by(byDefault, 137), undefined],
    ['does not ignore the end of the whole pod, whatever its code', { ...steps.Evict, exitCode: 137 }, 'KnownUnclean'],
    ['is no licence in a Job’s pod that bears Argo’s annotation', by(argos), 'UnknownEnd', ofJob, jobFacts()],
  ])('%s', (_title, one, expected, of = workflow, job = undefined) => {
    expect(whyBlocked(one, ['sidecar'], { candidate: of, job, mode: 'forbid' })).toBe(expected);
  });
});

it('a KILL is blocked like the step of its method before it, even where it costs nothing', () => {
  const term = { ...steps.Signal, blocked: 'UnknownEnd' } as const;
  const kill = { ...steps.Signal, signals: ['KILL'], exitCode: 137 } as const;
  expect(withKillsBlocked([term, kill])).toEqual([term, { ...kill, blocked: 'UnknownEnd' }]);
  expect(withKillsBlocked([kill, term])).toEqual([kill, term]);
  const http = { ...steps.Http, blocked: 'UnknownEnd' } as const;
  expect(withKillsBlocked([http, steps.Signal, kill])).toEqual([http, steps.Signal, kill]);
});

describe('the worst cost', () => {
  const failureRules = [
    onExitCodes('FailJob', [143], { container: 'b' }),
    onExitCodes('Ignore', [143], { container: 'a' }),
  ];
  const at = { candidate: stuck(), job: jobFacts({ failureRules }) };

  it('is that of the container that costs most', () => {
    expect(worstCost(['a'], { exitCode: 143 }, at)).toEqual({ kind: 'AnotherRun' });
    expect(worstCost(['a', 'b'], { exitCode: 143 }, at)).toEqual({ kind: 'Job', because: 'FailurePolicy' });
    expect(worstCost(['a', 'b'], { exitCode: 1 }, at)).toEqual({ kind: 'AnotherRun' });
    expect(worstCost(['b'], { exitCode: undefined }, at)).toEqual({ kind: 'Job', because: 'FailurePolicy' });
    expect(worstCost([], { exitCode: 143 }, at)).toEqual({ kind: 'Nothing' });
  });

  it('decides about a step that ends several containers', () => {
    const plain = step(15);
    const clean = { ...at, job: { kind: 'Gone' } } as const;
    expect(whyBlocked(plain, ['a'], { ...clean, mode: 'forbid' })).toBeUndefined();
    expect(whyBlocked(plain, ['a', 'b'], { ...at, mode: 'forbid' })).toBe('UnknownEnd');
  });
});

const unread = 'its Job or its pods cannot be read, and it may have no restarts left';
const full = (limit: number, restarts = 0, swaps = 1) =>
  `its Job would count it as ${swaps > 1 ? '2 restarts' : 'a restart'}, and fail: ${restarts} so far, backoffLimit ${limit}; ${restarts + swaps + 1} would do`;

interface Swap {
  readonly pod?: Partial<PodView>;
  readonly restarts?: number;
  readonly mode?: UncleanExit;
  readonly mayRaise?: boolean;
}

function why(job: JobFacts | undefined, { pod, restarts = 1, mode = 'forbid', mayRaise = false }: Swap = {}) {
  const of = candidate(podView({ restartPolicy: 'OnFailure', ...pod }));
  return whySwapFailsJob(steps.ImageSwap, restarts, mayRaise, { candidate: of, job, mode });
}

describe('an image swap of one sidecar', () => {
  // Recorded: image-swap-onfailure-backoff-one-fails, and with backoffLimit 0 as well.
  it.each<readonly [title: string, JobFacts | undefined, expected: string | undefined]>([
    ['fails a Job with backoffLimit 0', jobFacts({ backoffLimit: 0 }), full(0)],
    ['fails a Job with backoffLimit 1', jobFacts({ backoffLimit: 1 }), full(1)],
    ['does not fail a Job with backoffLimit 2', jobFacts({ backoffLimit: 2 }), undefined],
    ['may wait for other candidates of the Job to end', jobFacts({ backoffLimit: 2 }, 50), undefined],
    ['cannot wait for the other pods', jobFacts({ backoffLimit: 3 }, 2, 2), full(3, 2)],
    ['may fail a Job that was not read', undefined, unread],
    ['may fail a Job that cannot be read', { kind: 'Unreadable' }, unread],
    ['fails no Job that is gone', { kind: 'Gone' }, undefined],
  ])('%s', (_title, job, expected) => {
    expect(why(job)).toBe(expected);
  });

  it.each<readonly [title: string, Parameters<typeof why>[1]]>([
    ['if pods are not restarted', { pod: { restartPolicy: 'Never' } }],
    ['if nothing owns the pod', { pod: { owner: undefined } }],
    ['if the operator takes the risk', { mode: 'allow' }],
  ])('costs no Job %s', (_title, more) => {
    expect(why(jobFacts({ backoffLimit: 0 }), more)).toBeUndefined();
    expect(why(undefined, more)).toBeUndefined();
  });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, JobFacts, Partial<PodView>]>([
    ['another kind of Job', jobFacts(), { owner: { group: 'kubeflow.org', kind: 'TFJob', name: 'work', uid: 'u' } }],
    ['an owner that does not control the pod', jobFacts(), { owner: undefined, hasOtherOwner: true }],
    ['a Job that another controller manages', jobFacts({ otherController: 'example.com/queue' }), {}],
  ])('may fail %s', (_title, job, pod) => {
    const failing = 'its owner may count it as a restart, and fail';
    expect(why(job, { pod })).toBe(failing);
    expect(why(job, { pod, mayRaise: true })).toBe(failing);
    expect(why(job, { pod, mode: 'allow' })).toBeUndefined();
    expect(why(job, { pod: { ...pod, restartPolicy: 'Never' } })).toBeUndefined();
  });

  // Recorded: image-swap-onfailure-backoff-raised.
  it('costs no Job whose backoffLimit may be raised', () => {
    expect(why(jobFacts({ backoffLimit: 0 }), { mayRaise: true })).toBeUndefined();
    expect(why({ kind: 'Unreadable' }, { mayRaise: true })).toBe(unread);
    expect(why(undefined, { mayRaise: true })).toBe(unread);
  });
});

// biome-ignore format: as many as fit on a line
it.each<readonly [before: number, restarts: number, backoffLimit: number, expected: string | undefined]>([
  [0, 2, 2, full(2, 0, 2)], [0, 2, 3, undefined], [1, 1, 2, full(2, 1)], [1, 1, 3, undefined], [4, 1, 6, undefined],
  [5, 1, 6, full(6, 5)],
])(
  'a pod with %i restarts and %i more, in a Job with backoffLimit %i: %s',
  (before, restarts, limit, expected) => {
    expect(why(jobFacts({ backoffLimit: limit }), { pod: { restarts: before }, restarts })).toBe(expected);
  },
);

it('a Job without restarts lives, whatever its limit, and of all steps only an image swap is one', () => {
  expect(fits(0, 0)).toBe(true);
  const of = candidate(podView({ restartPolicy: 'OnFailure' }));
  const at = { candidate: of, job: jobFacts({ backoffLimit: 0 }), mode: 'forbid' } as const;
  expect(whySwapFailsJob(steps.Signal, 1, false, at)).toBeUndefined();
});

it('a swap to an image of unknown programs is blocked by that, and by nothing else where it costs nothing', () => {
  const of = (mode: UncleanExit, owner = podView().owner) =>
    whyBlocked(steps.ImageSwap, ['sidecar'], { candidate: stuck({ owner }), job: jobFacts(), mode });
  expect([of('forbid'), of('allow')]).toEqual(['NoopUnknown', undefined]);
  const alone = { candidate: stuck({ owner: undefined }), job: undefined, mode: 'forbid' } as const;
  expect(whyBlocked(steps.ImageSwap, ['sidecar'], alone)).toBeUndefined();
});

describe('a step that is known to end with 0 is blocked after an unclean end', () => {
  const failed = (...failures: readonly Readonly<Record<string, number>>[]): JobFacts =>
    failedAt({}, ...failures);
  const failedAt = (
    times: Readonly<Record<string, number>>,
    ...failures: readonly Readonly<Record<string, number>>[]
  ): JobFacts => {
    const facts = jobFacts();
    if (facts.kind !== 'Known') return expect.fail('it is known');
    const endOf = ([name, exitCode]: readonly [string, number]) =>
      [name, { exitCode, finishedAt: times[name] }] as const;
    return { ...facts, failures: failures.map((codes) => new Map(Object.entries(codes).map(endOf))) };
  };
  const restarted = (lastExitCode: number, lastFinishedAt: number | undefined, restartCount = 1) => {
    return candidate(podWithSidecar({ restartCount, lastExitCode, lastFinishedAt }));
  };
  const mainsEnded = stuck().mainsEndedAt;
  const clean = step(15, { exitCode: 0 });
  const before = 'EndedUncleanBefore';
  const crashedOnce = { restartCount: 1, lastExitCode: 143, lastFinishedAt: mainsEnded };
  const besideCrashed = candidate(podWith([container('shipper', running, crashedOnce), 'sidecar']));
  const [main, second] = [container('main', exited()), container('second', exited())];
  const ofTwoMains = stuck({ containers: [main, second, container('sidecar', running)] });

  // biome-ignore format: one row a line
  it.each<readonly [string, Candidate, JobFacts | undefined, BlockedReason | undefined]>([
    ['of the same sidecar in another pod of its Job', stuck(), failed({ main: 0, sidecar: 143 }), before],
    ['in any of them', stuck(), failed({ main: 0, sidecar: 0 }, { main: 0, sidecar: 1 }), before],
    ['but not of another sidecar', stuck(), failed({ main: 0, sidecar: 0, other: 143 }), undefined],
    ['but not of a pod that did not have it', stuck(), failed({ main: 0 }), undefined],
    ['but not where a main failed', stuck(), failed({ main: 1, sidecar: 143 }), undefined],
    ['that came when the mains had ended', stuck(), failedAt({ main: 5, sidecar: 5 }, { main: 0, sidecar: 143 }), before],
    ['but not where it came while a main ran', stuck(), failedAt({ main: 5, sidecar: 4 }, { main: 0, sidecar: 137 }), undefined],
    ['but not where a main is not known to have ended', stuck(), failed({ sidecar: 143 }), undefined],
    ['but not if the Job has none', stuck(), failed(), undefined],
    ['in the same pod, since its mains ended', restarted(143, mainsEnded), undefined, before],
    ['in the same pod, but not before that', restarted(143, mainsEnded - 1), undefined, undefined],
    ['in the same pod, but not if that was clean', restarted(0, mainsEnded), undefined, undefined],
    ['in the same pod, but not at an unknown time', restarted(143, undefined), undefined, undefined],
    ['in the same pod, but not without a restart', restarted(143, mainsEnded, 0), undefined, undefined],
    ['but not of another sidecar of the pod', besideCrashed, jobFacts(), undefined],
    ['but not where one of two mains failed', ofTwoMains, failed({ main: 0, second: 1, sidecar: 143 }), undefined],
    ['but not while the second of two mains ran', ofTwoMains, failedAt({ main: 1, second: 5, sidecar: 3 }, { main: 0, second: 0, sidecar: 143 }), undefined],
  ])('%s', (_title, of, job, expected) => {
    expect(whyBlocked(clean, ['sidecar'], { candidate: of, job, mode: 'forbid' })).toBe(expected);
  });

  const mainFailed = stuck({ containers: [container('main', exited(1)), container('sidecar', running)] });
  const unowned = stuck({ ...restarted(143, mainsEnded).pod, owner: undefined });
  const bare = { owner: undefined, restartPolicy: 'OnFailure' } as const;
  const restarting = stuck({ ...restarted(143, mainsEnded).pod, ...bare });
  const crashing = stuck({ ...restarted(1, mainsEnded).pod, ...bare });
  const swap = { ...steps.ImageSwap, exitCode: 0 };
  const ended = failed({ main: 0, sidecar: 143 });
  const ignores137 = {
    completions: undefined,
    succeededPods: 1,
    failureRules: [onExitCodes('Ignore', [137])],
  };

  // biome-ignore format: one row a line
  it.each<[string, BlockedReason | undefined, PlannedStep, Candidate, JobFacts | undefined, UncleanExit?, (readonly string[])?]>([
    ['but not where that costs nothing, as a main failed', undefined, clean, mainFailed, failed({ main: 0, sidecar: 137 })],
    ['nor without an owner', undefined, clean, unowned, undefined],
    ['but one with the same code, after which the kubelet would only restart it again', before, step(15, { exitCode: 143 }), restarting, undefined],
    ['or one of several signals', before, { ...steps.Signal, signals: ['INT', 'TERM'], exitCode: undefined }, restarting, undefined],
    ['or one that is permitted', before, step(15, { exitCode: 143 }), restarting, undefined, 'allow'],
    ['also of one of several sidecars', before, step(15, { exitCode: 143 }), restarting, undefined, 'forbid', ['other', 'sidecar']],
    ['but not TERM that is said to end with 0', undefined, { ...steps.Signal, exitCode: 0 }, restarting, undefined],
    ['or TERM with an unknown code', before, { ...steps.Signal, exitCode: undefined }, restarting, undefined],
    ['but not if it crashed with another code', undefined, { ...steps.Signal, exitCode: undefined }, crashing, undefined],
    ['nor another step with an unknown code', undefined, { ...steps.Http, exitCode: undefined }, restarting, undefined],
    ['nor if the kubelet would not restart it', undefined, step(15, { exitCode: 143 }), unowned, undefined],
    ['nor one that ends the pod', undefined, { ...steps.Evict, exitCode: 143 }, restarting, undefined],
    ['but not one that ends the pod, whose sidecars may end with any code', 'KnownUnclean', { ...steps.Evict, exitCode: 137 }, stuck(), jobFacts(ignores137)],
    ['but not a swap', undefined, swap, stuck(), ended],
    ['nor a step that is permitted', undefined, clean, stuck(), ended, 'allow'],
    ['nor one for another sidecar', undefined, clean, stuck(), ended, 'forbid', ['other']],
    ['but one for both', before, clean, stuck(), ended, 'forbid', ['other', 'sidecar']],
    ['and a swap, after a no-op image could not be started in its place', 'NoopDoesNotStart', swap, stuck(), failed({ main: 0, sidecar: 128 })],
    ['not after such an end of a pod whose main failed', undefined, swap, stuck(), failed({ main: 1, sidecar: 128 })],
    ['nor of another sidecar', undefined, swap, stuck(), failed({ main: 0, other: 128 })],
  ])('%s', (_title, expected, one, of, job, mode = 'forbid', containers = ['sidecar']) => {
    expect(whyBlocked(one, containers, { candidate: of, job, mode })).toBe(expected);
  });
});

describe('what is gentler than a step', () => {
  const command = { step: { method: 'Command' } } as const;
  const signal = { step: { method: 'Signal' } } as const;
  const kill = { method: 'Signal', exitCode: 137 } as const;

  it('that kills is the step of the same method before it', () => {
    const last = { ...signal };
    expect(gentlerThan(kill, [signal, last, command])).toBe(last);
    expect(gentlerThan(kill, [command])).toBeUndefined();
    expect(gentlerThan(kill, [])).toBeUndefined();
  });

  it.each([undefined, 0, 143])('with the exit code %s: nothing', (exitCode) => {
    expect(gentlerThan({ method: 'Signal', exitCode }, [signal])).toBeUndefined();
  });
});
