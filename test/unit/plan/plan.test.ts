import { describe, expect, it } from 'vitest';
import { describeRbac, type Permissions } from '../../../src/methods/permissions.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import type { JobFacts } from '../../../src/model/reading.ts';
import type { UncleanExit, Unfit } from '../../../src/model/step.ts';
import { mayAct } from '../../../src/plan/caps.ts';
import { draftPod, type PodDraft } from '../../../src/plan/draft.ts';
import { wantedBy } from '../../../src/plan/permissions.ts';
import type { Known, SwapAnswer } from '../../../src/plan/plan.ts';
import { type PodPlan, stepsFor } from '../../../src/plan/sweep-plan.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { profile } from '../../../src/policy/profile.ts';
import { jobFacts, keyOfJob } from '../../builders/job.ts';
import { candidate, plannedTarget, steps } from '../../builders/plan.ts';
import {
  argoKey,
  draftOf,
  early,
  knowing,
  known,
  planned,
  planOf,
  planSweep,
  profileOf,
  quit,
  specs,
  swap,
  sweepPlanOf,
  withKillCommand,
} from '../../builders/planned.ts';
import {
  container,
  exited,
  now,
  podView,
  podWith,
  podWithSidecar,
  running,
} from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';

const exec = 'get, create on pods/exec';
const portForward = 'get, create on pods/portforward';
const succeeds = { exitCode: 0, phase: 'Succeeded', job: 'Completes' };
const staysUp = { phase: 'Running', job: 'StaysActive' };

function inNamespace(namespace: string, more: Partial<PodView> = {}): PodView {
  return podView({ ref: { namespace, name: 'work', uid: `uid-${namespace}` }, ...more });
}

/** An account that may do everything but this, written as `get on pods in demo`. */
function without(...denied: readonly string[]): Permissions {
  return { allow: (rules, namespace) => !denied.includes(`${describeRbac(rules)} in ${namespace}`) };
}

function planWithout(denied: readonly string[], more: Partial<Policy> = {}, pod = podView()): PodPlan {
  const permissions = without(...denied.map((rules) => `${rules} in demo`));
  const [plan] = planSweep([draftOf(pod, more)], known({ permissions })).pods;
  if (!plan) expect.fail('no plan');
  return plan;
}

describe('what a sweep would need permission for', () => {
  it('is the rules of every step, in the namespace of the pod', () => {
    const drafts = [
      draftOf(inNamespace('a'), { ...knowing(quit), lastResort: specs(swap) }),
      draftOf(inNamespace('b'), { lastResort: specs({ delete: true }) }),
    ];
    const wanted = drafts
      .flatMap(wantedBy)
      .map(({ rules, namespace }) => `${describeRbac(rules)} in ${namespace}`);
    const inA = [`${portForward} in a`, `${exec} in a`, `${exec} in a`, 'patch on pods in a'];
    expect(wanted).toEqual([...inA, `${exec} in b`, `${exec} in b`, 'delete on pods in b']);
  });

  it('has the swap that goes before uncertain steps, before the last resort', () => {
    const wanted = wantedBy(draftOf(podView(), { swap: early, lastResort: specs({ delete: true }) }));
    const rules = wanted.map((one) => describeRbac(one.rules));
    expect(rules).toEqual([exec, exec, 'patch on pods', 'delete on pods']);
  });

  it('is nothing if nothing can be done', () => {
    expect(wantedBy(draftOf(podView({ processNamespace: 'Node' })))).toEqual([]);
  });
});

describe('planning gives every step its clearance:', () => {
  const clearances = (more: Partial<Policy>, pod = podView()) => {
    const { targets, lastResort } = planOf(pod, more);
    const own = targets.flatMap((target) => (target.kind === 'Planned' ? target.steps : []));
    return [...own, ...lastResort].map(({ method, blocked }) => `${method} ${blocked ?? 'free'}`).join(', ');
  };
  const more = { ...knowing(quit), lastResort: [...specs(swap, { delete: true })] };

  it('by default, a step whose end is unknown, or known to be unclean, is blocked', () => {
    const expected = 'Http free, Signal UnknownEnd, Signal KnownUnclean, ImageSwap free, Delete KnownUnclean';
    expect(clearances(more)).toBe(expected);
  });

  it.each<readonly [title: string, Partial<Policy>, PodView]>([
    ['if the operator takes the risk', { uncleanExit: 'allow' }, podView()],
    ['if no Job owns the pod', {}, podView({ owner: undefined })],
  ])('all are free %s', (_title, other, pod) => {
    const free = 'Http free, Signal free, Signal free, ImageSwap free, Delete free';
    expect(clearances({ ...more, ...other }, pod)).toBe(free);
  });
});

describe('a plan', () => {
  it('has every candidate, in order, with what was drafted', () => {
    const two = podWith(['a', 'b']);
    const { asOf, pods } = sweepPlanOf([candidate(two), candidate()]);
    expect(asOf).toBe(now);
    expect(pods.map(({ targets }) => targets.map((target) => `${target.kind} ${target.container}`))).toEqual([
      ['Planned a', 'Planned b'],
      ['Planned sidecar'],
    ]);
    expect(pods[0]?.candidate).toEqual(candidate(two));
  });

  it('keeps what was drafted for a sidecar', () => {
    const term = { ...steps.Signal, blocked: 'UnknownEnd' } as const;
    const kill = { ...steps.Signal, signals: ['KILL'], grace: 2_000, exitCode: 137 } as const;
    const expected = plannedTarget({ steps: [term, { ...kill, blocked: 'KnownUnclean' }] });
    expect(planned(podView())).toEqual(expected);
  });

  it('is plain JSON', () => {
    const plan = sweepPlanOf([candidate()], { ...knowing(quit), lastResort: specs({ delete: true }, swap) });
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  it('expects what the last resort promises, if that is the first step', () => {
    const { prediction } = planOf(podView({ processNamespace: 'Node' }), { lastResort: specs(swap) });
    expect(prediction).toStrictEqual(succeeds);
  });

  it('counts a sidecar that had ended by itself', () => {
    const withEnded = (exitCode: number, uncleanExit: UncleanExit = 'forbid') => {
      const pod = podWith([container('logging', exited(exitCode)), 'sidecar']);
      return planOf(pod, { ...knowing(quit), uncleanExit }).prediction;
    };
    expect(withEnded(0)).toStrictEqual(succeeds);
    expect(withEnded(3)).toStrictEqual(staysUp);
    expect(withEnded(3, 'allow')).toStrictEqual({ exitCode: 3, phase: 'Failed', job: 'RunsAgain' });
  });

  it('for no candidates is empty', () => {
    expect(sweepPlanOf([])).toEqual({ asOf: now, pods: [], warnings: [] });
    expect(planSweep([], known({ asOf: undefined })).asOf).toBeUndefined();
  });
});

describe('what the account may not do', () => {
  const more = { ...knowing(quit, { signal: ['TERM'] }, quit), lastResort: specs(swap, { delete: true }) };
  const reason = 'NoPermission' as const;
  const unfit = (method: Unfit['method'], detail: string, does: string): Unfit => {
    return { method, reason, detail, does };
  };
  const noHttp = unfit('Http', portForward, 'POST localhost:15020/quitquitquit');
  const [noTerm, noKill] = [unfit('Signal', exec, 'signal TERM'), unfit('Signal', exec, 'signal KILL')];
  const noSwap = unfit('ImageSwap', 'patch on pods', 'swap the image for noop:1');
  const noDelete = unfit('Delete', 'delete on pods', 'delete the pod');
  const offNode: Unfit = { method: 'Http', reason: 'SeesTheNode', detail: 'hostNetwork' };
  const signals = [{ signals: ['TERM'] }, { signals: ['KILL'] }];
  const [onNode, onItsNetwork] = [podView({ processNamespace: 'Node' }), podView({ hostNetwork: true })];
  const lastSwap = { lastResort: specs(swap) };
  const needsPatch = { kind: 'Refused', message: 'needs patch on pods' };
  const blocked = { kind: 'Blocked', reason: 'UnknownEnd' };

  // biome-ignore format: one row a line
  it.each<readonly [title: string, denied: readonly string[], Partial<Policy>, PodView, expected: object]>([
    ['is left out; the plan goes on with the next step and says why once', [portForward], more, podView(), { targets: [{ kind: 'Planned', steps: signals, unfit: [noHttp] }], lastResort: [{ method: 'ImageSwap' }, { method: 'Delete' }] }],
    ['is left out of the last resort', ['patch on pods'], more, podView(), { targets: [{ steps: { length: 4 }, unfit: [noSwap] }], lastResort: [{ method: 'Delete' }] }],
    ['comes after what the pod shows cannot work', [exec], more, onItsNetwork, { targets: [{ steps: [], unfit: [offNode, offNode, noTerm, noKill] }] }],
    ['is said of a last resort that is all there is', ['patch on pods'], lastSwap, onNode, { targets: [{ kind: 'Skipped', outcome: { because: needsPatch } }] }],
    ['is not said where each step that needs it is blocked, so that it would not help', [exec], {}, podView(), { targets: [{ kind: 'Skipped', outcome: { kind: 'StillRunning', because: blocked } }] }],
    ['is said where one of them is not', [portForward, exec], knowing(quit), podView(), { targets: [{ outcome: { kind: 'StillRunning', because: { kind: 'Refused' } } }] }],
  ])('%s', (_title, denied, written, pod, expected) => {
    expect(planWithout(denied, written, pod)).toMatchObject(expected);
  });

  it('does not count for the prediction', () => {
    expect(planWithout([], knowing(quit)).prediction).toMatchObject({ phase: 'Succeeded' });
    expect(planWithout([portForward], knowing(quit)).prediction).toStrictEqual(staysUp);
  });

  it('skips a sidecar if nothing is left, and says what it would need', () => {
    const all = [portForward, exec, 'patch on pods', 'delete on pods'];
    const { targets, lastResort, prediction } = planWithout(all, more);
    const message = `needs ${portForward}; ${exec}; patch on pods; delete on pods`;
    const outcome = { kind: 'StillRunning', because: { kind: 'Refused', message } };
    const unfit = [noHttp, noTerm, noKill, noSwap, noDelete];
    expect(targets).toEqual([{ kind: 'Skipped', container: 'sidecar', turn: 0, outcome, unfit }]);
    expect(lastResort).toEqual([]);
    expect(prediction).toStrictEqual(staysUp);
  });

  it('is not warned of where each step that needs it is blocked', () => {
    const permissions = without(`${exec} in demo`);
    expect(planSweep([draftOf(podView())], known({ permissions })).warnings).toEqual([]);
  });

  it.each([false, true])(
    'is warned of once, with the namespaces that lack it (dry run: %s)',
    (assumesPermissions) => {
      const drafts = ['a', 'b', 'a'].map((namespace) => draftOf(inNamespace(namespace), more));
      const permissions = without(`${portForward} in a`, `${portForward} in b`, 'patch on pods in b');
      expect(planSweep(drafts, known({ permissions, assumesPermissions })).warnings).toEqual([
        { kind: 'NoPermission', method: 'Http', namespaces: ['a', 'b'], needs: portForward },
        { kind: 'NoPermission', method: 'ImageSwap', namespaces: ['b'], needs: 'patch on pods' },
      ]);
    },
  );

  it('is warned of if it would help one sidecar, though another ended unclean before', () => {
    const crashed = { restartCount: 1, lastExitCode: 1, lastFinishedAt: now };
    const pod = podWith(['sidecar', container('other', running, crashed)]);
    const permissions = without(`${portForward} in demo`, 'delete on pods in demo');
    const forAll = { lastResort: specs({ delete: true, exitCode: 0 }) };
    const { warnings } = planSweep([draftOf(pod, { ...knowing(quit), ...forAll })], known({ permissions }));
    expect(warnings).toMatchObject([{ method: 'Http', needs: portForward }]);
  });

  it('is not warned of where an image swap takes its place, unless the plan shows it', () => {
    const lastResort = specs({ delete: true });
    const [lacking, swaps] = [[portForward, exec], { ...knowing(quit), swap: early, lastResort }];
    const warnedOf = (lacks: readonly string[], more: Partial<Known> = {}) => {
      const permissions = without(...lacks.map((one) => `${one} in demo`));
      const { warnings } = planSweep([draftOf(podView(), swaps)], known({ permissions, ...more }));
      return warnings.flatMap((one) => (one.kind === 'NoPermission' ? one.method : []));
    };
    expect(warnedOf(lacking)).toEqual([]);
    expect(warnedOf([...lacking, 'patch on pods'])).toEqual(['Http', 'ImageSwap']);
    expect(warnedOf(lacking, { assumesPermissions: true })).toEqual(['Http']);
    expect(warnedOf([...lacking, 'delete on pods'], { mode: 'allow' })).toEqual(['Delete']);
  });
});

function planKnowing(more: Partial<Known>, draft: PodDraft = draftOf(podView(), { swap: early })): PodPlan {
  const [plan] = planSweep([draft], known(more)).pods;
  if (!plan) expect.fail('no plan');
  return plan;
}

it('a plan that assumes permissions has the steps for which they are missing', () => {
  const plan = planKnowing({ permissions: { allow: () => false }, assumesPermissions: true });
  expect(inOrder(plan)).toBe('ImageSwap free, Signal UnknownEnd, Signal KnownUnclean');
});

/** Two sidecars, each with a no-op image of its own. */
function withOwnImages(more: Partial<PodView> = {}): PodDraft {
  const catalogue = ['a', 'b'].map((name) =>
    profileOf(name, { imageSwap: { image: `noop-${name}:1`, commands: ['/opt/own'] } }),
  );
  const containers = ['a', 'b'].map((name) => container(name, running, { command: ['/opt/own'] }));
  return draftOf(podWith(containers, more), { catalogue });
}

function inOrder(plan: PodPlan): string {
  const [target] = plan.targets;
  if (target?.kind !== 'Planned') expect.fail(`not planned: ${JSON.stringify(target)}`);
  const ordered = stepsFor(target, plan).map(({ method, blocked }) => `${method} ${blocked ?? 'free'}`);
  return ordered.join(', ');
}

const ownersFirst = 'Command free, Command free, ImageSwap free, Signal free, Signal free';
const jobOfPod = (job: JobFacts): Partial<Known> => ({ jobs: new Map([[keyOfJob(podView()), job]]) });
const onFailure = { restartPolicy: 'OnFailure' } as const;

describe('an image swap that is allowed', () => {
  it('goes after the steps that end with 0, before all whose end is uncertain', () => {
    const more = { ...knowing(quit, { signal: ['TERM'] }), swap: early };
    const plan = planOf(podView(), { ...more, lastResort: specs({ delete: true }) });
    const uncertain = ['TERM', 'KILL'].map((name) => ({ method: 'Signal', signals: [name] }));
    expect(plan.targets).toMatchObject([{ steps: [{ method: 'Http' }], uncertain }]);
    expect(plan.swap).toMatchObject({ method: 'ImageSwap', source: { kind: 'Swap' } });
    expect(plan.lastResort.map(({ method }) => method)).toEqual(['Delete']);
    expect(inOrder(plan)).toBe('Http free, ImageSwap free, Signal UnknownEnd, Signal KnownUnclean');
    expect(plan.prediction).toStrictEqual({ exitCode: 0, phase: 'Succeeded', job: 'Completes' });
  });

  it('brings what ends with 0 to the front, wherever a profile has it', () => {
    const more = { ...knowing({ signal: ['INT'] }, quit, { signal: ['TERM'], exitCode: 0 }), swap: early };
    const [target] = planOf(podView(), more).targets;
    expect(target).toMatchObject({
      steps: [{ method: 'Http' }, { method: 'Signal', signals: ['TERM'] }],
      uncertain: [{ signals: ['INT'] }, { signals: ['KILL'] }],
    });
  });

  const owners = (more: Partial<PodView> = {}) => withKillCommand('["sh", "-c", "kill -%d 1"]', more);
  const owner = { group: 'argoproj.io', kind: 'Workflow', name: 'w', uid: 'w' };
  const [unsaid] = specs({ imageSwap: { image: 'noop:1' } });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, PodView, Partial<Policy>, order: string]>([
    ['leaves the order as it is if it is only a last resort', podView(), { ...knowing({ signal: ['INT'] }, quit), lastResort: specs(swap) }, 'Signal UnknownEnd, Http free, Signal UnknownEnd, Signal KnownUnclean'],
    ['is blocked itself if it is not said which programs the image has', podView(), { swap: unsaid }, 'ImageSwap NoopUnknown, Signal UnknownEnd, Signal KnownUnclean'],
    ['goes before the owner’s own command, by which work could be lost', owners(), { swap: early }, 'ImageSwap free, Command UnknownEnd, Command UnknownEnd, Signal UnknownEnd, Signal KnownUnclean'],
    ['goes after it if no Job owns the pod', owners({ owner: undefined }), { swap: early }, ownersFirst],
    ['goes after it if the operator takes the risk', owners(), { swap: early, uncleanExit: 'allow' }, ownersFirst],
    ['goes after it in a workflow, as Argo would send it', owners({ owner, argo: { mains: ['main'] } }), { swap: early }, ownersFirst],
    ['is planned for a sidecar that has no other step', podView({ processNamespace: 'Node' }), { swap: early }, 'ImageSwap free'],
  ])('%s', (_title, pod, more, order) => {
    expect(inOrder(planOf(pod, more))).toBe(order);
  });

  it('is left out if the account may not patch: the steps keep their order', () => {
    const permissions = without('patch on pods in demo');
    const draft = draftOf(podView(), { ...knowing({ signal: ['INT'] }, quit), swap: early });
    const plan = planKnowing({ permissions }, draft);
    expect(plan.swap).toBeUndefined();
    expect(inOrder(plan)).toBe('Signal UnknownEnd, Http free, Signal UnknownEnd, Signal KnownUnclean');
    expect(plan.targets).toMatchObject([
      { uncertain: [], unfit: [{ method: 'ImageSwap', reason: 'NoPermission', detail: 'patch on pods' }] },
    ]);
  });

  it('does not reorder the steps of a sidecar that cannot be swapped', () => {
    const mounted = container('a', running, { command: ['/tools/run'], mounts: ['/tools'] });
    const plan = planOf(podWith([mounted, 'b']), { swap: early });
    expect(plan.swap).toMatchObject({ only: ['b'] });
    const unfit = [{ method: 'ImageSwap', reason: 'NoPath' }];
    expect(plan.targets).toMatchObject([
      { container: 'a', steps: { length: 2 }, uncertain: [], unfit },
      { container: 'b', steps: [], uncertain: { length: 2 }, unfit: [] },
    ]);
  });
});

describe('what the API server says of a swap in a dry run', () => {
  const message = 'violates PodSecurity "restricted:latest"';
  const mirror = 'mirror.example/team-noop@sha256:0123';
  const swaps = { uid: podView().ref.uid, draft: draftOf(podView(), { swap: early }) };
  const lastResort = draftOf(podView(), { lastResort: specs(swap, { delete: true }) });
  const noSignals = draftOf(podView({ processNamespace: 'Node' }), { swap: early });
  const refused = (asked = 'noop:1'): SwapAnswer => ({ kind: 'Refused', asked, message });
  const admitted = (sidecar: string): SwapAnswer => ({
    kind: 'Admitted',
    asked: 'noop:1',
    images: { sidecar },
  });
  const unfit = (detail: string) => [{ method: 'ImageSwap', reason: 'NotAdmitted', detail }];
  const left = { steps: [{ method: 'Signal' }, { method: 'Signal' }], uncertain: [] };
  const isSwapped = { swap: { method: 'ImageSwap' } };
  const rewritten = (to: string) => ({ swap: { method: 'ImageSwap', images: { sidecar: to } } });
  const notRewritten = { swap: expect.not.objectContaining({ images: expect.anything() }) };

  // biome-ignore format: one row a line
  it.each<readonly [title: string, SwapAnswer, PodDraft, expected: object]>([
    ['makes it unfit with the reason if it is refused', refused(), swaps.draft, { swap: undefined, targets: [{ ...left, unfit: unfit(message) }] }],
    ['makes it unfit as a last resort as well; the next one is left', refused(), lastResort, { lastResort: [{ method: 'Delete' }], targets: [{ unfit: unfit(message) }] }],
    ['leaves a sidecar alone that nothing else can end', refused(), noSignals, { targets: [{ kind: 'Skipped', outcome: { kind: 'Skipped', reason: { kind: 'NoWay' } } }] }],
    ['is about one pod', refused(), draftOf(inNamespace('demo'), { swap: early }), isSwapped],
    ['is about one image', refused('noop:2'), swaps.draft, isSwapped],
    ['does not say what becomes of another image', { ...admitted('mirror.example/noop:2'), asked: 'noop:2' }, swaps.draft, notRewritten],
    ['makes it unfit if a webhook puts the old image in its place', admitted('acme/log-shipper:2'), swaps.draft, { swap: undefined, targets: [{ unfit: unfit('admission makes it acme/log-shipper:2') }] }],
    ['makes it unfit if a webhook puts one of its own there', admitted('registry.example/no:1'), swaps.draft, { swap: undefined, targets: [{ unfit: unfit('admission makes it registry.example/no:1') }] }],
    ['is admitted as it was asked for', admitted('noop:1'), swaps.draft, isSwapped],
    ['is admitted as a copy of a mirror, which the container then has', admitted('mirror.example/team/noop:1'), swaps.draft, rewritten('mirror.example/team/noop:1')],
    ['is admitted as a copy of a mirror without folders', admitted(mirror), swaps.draft, rewritten(mirror)],
  ])('%s', (_title, answer, draft, expected) => {
    expect(planKnowing({ swaps: new Map([[swaps.uid, answer]]) }, draft)).toMatchObject(expected);
  });

  it('is for each sidecar what it is for its own image', () => {
    const answers = new Map([[swaps.uid, refused('noop-a:1')]]);
    const { targets, lastResort } = planKnowing({ swaps: answers }, withOwnImages());
    expect(lastResort).toMatchObject([{ image: 'noop-b:1', only: ['b'] }]);
    expect(targets.map((target) => target.unfit)).toEqual([unfit(message), []]);
  });
});

it('a step that rests on a promise which an earlier sweep saw broken is blocked, also as a last resort', () => {
  const lastResort = specs({ ephemeralContainer: { image: 'busybox:1' }, exitCode: 0 }, { delete: true });
  const broken = (isBroken: boolean) =>
    planKnowing({ isBroken: () => isBroken }, draftOf(podView(), { ...knowing(quit), lastResort }));
  const { targets, lastResort: last } = broken(true);
  expect(targets).toMatchObject([{ steps: [{ method: 'Http', blocked: 'PromiseBroken' }, {}, {}] }]);
  expect(last.map(({ blocked }) => blocked)).toEqual(['PromiseBroken', 'KnownUnclean']);
  const crashed = podWithSidecar({ restartCount: 1, lastExitCode: 1, lastFinishedAt: now });
  const before = planKnowing({ isBroken: () => true }, draftOf(crashed, knowing(quit)));
  expect(before.targets).toMatchObject([{ steps: [{ blocked: 'EndedUncleanBefore' }, {}, {}] }]);
  expect(broken(false).lastResort.map(({ blocked }) => blocked)).toEqual([undefined, 'KnownUnclean']);
});

it.each([
  ['linux/s390x', 'NoopUnknown'],
  ['linux/arm', 'NoopUnknown'],
  ['linux/arm64', undefined],
  ['Linux/amd64 on a virtual kubelet', undefined],
  ['linux/ on a virtual kubelet', undefined],
  ['/', undefined],
])(
  'the image of this project is not said to start on a node for which it is not built: %s',
  (platform, blocked) => {
    const swapFor = (imageSwap: object) => {
      const [swap] = specs({ imageSwap });
      return planKnowing({}, draftPod(candidate(), policy({ swap }), platform)).swap;
    };
    expect(swapFor({ image: 'registry.example/sidecar-sweeper/noop:1' })?.blocked).toBe(blocked);
    expect(swapFor({ image: 'acme/noop:1', commands: ['sh'] })?.blocked).toBeUndefined();
  },
);

it('a swap whose image an earlier sweep saw not start is blocked, in its own turn and as a last resort', () => {
  const planned = (more: Partial<Policy>) => planKnowing({ isBroken: () => true }, draftOf(podView(), more));
  expect(planned({ swap: early }).swap).toMatchObject({ blocked: 'NoopDoesNotStart' });
  expect(planned({ lastResort: specs(swap) }).lastResort).toMatchObject([{ blocked: 'NoopDoesNotStart' }]);
});

describe('under OnFailure, a swap is a restart to the Job', () => {
  const unfit = (detail: string): Unfit => ({ method: 'ImageSwap', reason: 'WouldFailJob', detail });
  const swapped = (job: JobFacts, more: Partial<Policy> = { swap: early }, mode: Known['mode'] = 'forbid') =>
    planKnowing({ ...jobOfPod(job), mode }, draftOf(podView(onFailure), more));

  // biome-ignore format: one row a line
  it.each<readonly [title: string, JobFacts, detail: string]>([
    ['without restarts left', jobFacts({ backoffLimit: 1 }), 'its Job would count it as a restart, and fail: 0 so far, backoffLimit 1; 2 would do'],
    ['that cannot be read', { kind: 'Unreadable' }, 'its Job or its pods cannot be read, and it may have no restarts left'],
  ])('is unfit in one %s', (_title, job, detail) => {
    const plan = swapped(job);
    expect(plan.swap).toBeUndefined();
    expect(plan.targets).toMatchObject([{ uncertain: [], unfit: [unfit(detail)] }]);
    const last = swapped(job, { lastResort: specs(swap) });
    expect(last.lastResort).toEqual([]);
    expect(last.targets).toMatchObject([{ unfit: [unfit(detail)] }]);
  });

  it('is planned in one with restarts left, without one, and where the operator takes the risk', () => {
    expect(swapped(jobFacts()).swap).toMatchObject({});
    expect(swapped({ kind: 'Gone' }).swap).toBeDefined();
    expect(swapped(jobFacts({ backoffLimit: 0 }), { swap: early }, 'allow').swap).toBeDefined();
  });

  it('counts once for each sidecar that is swapped', () => {
    const two = draftOf(podWith(['a', 'b'], onFailure), { swap: early });
    const swapOf = (backoffLimit: number) => planKnowing(jobOfPod(jobFacts({ backoffLimit })), two).swap;
    expect(swapOf(2)).toBeUndefined();
    expect(swapOf(3)).toBeDefined();
    const { lastResort } = planKnowing(jobOfPod(jobFacts({ backoffLimit: 2 })), withOwnImages(onFailure));
    expect(lastResort).toMatchObject([{ image: 'noop-a:1' }, { image: 'noop-b:1' }]);
  });
});

describe('where the backoffLimit may be raised, a swap', () => {
  const asked = { swap: early, raiseBackoffLimit: true };
  const full = jobFacts({ backoffLimit: 0 });
  const draft = draftOf(podView(onFailure), asked);

  it('is planned, and says so', () => {
    const plan = planKnowing(jobOfPod(full), draft);
    expect(plan.swap).toMatchObject({ raisesLimit: true });
    expect(planSweep([draft], known(jobOfPod(full))).warnings).toEqual([]);
    expect(plan.prediction).toMatchObject({ phase: 'Succeeded', job: 'Completes' });
    const last = { lastResort: specs(swap, { delete: true }), raiseBackoffLimit: true };
    const { lastResort } = planKnowing(jobOfPod(full), draftOf(podView(onFailure), last));
    expect(lastResort.map(({ raisesLimit }) => raisesLimit)).toEqual([true, undefined]);
  });

  it('is unfit if the account may not patch Jobs, and a warning says so', () => {
    const permissions = without('patch on jobs in demo');
    const { pods, warnings } = planSweep([draft], known({ ...jobOfPod(full), permissions }));
    expect(pods[0]?.swap).toBeUndefined();
    expect(pods[0]?.targets).toMatchObject([{ unfit: [{ method: 'ImageSwap', reason: 'WouldFailJob' }] }]);
    const needs = 'patch on jobs';
    const warning = { kind: 'NoPermission', method: 'RaiseBackoffLimit', namespaces: ['demo'], needs };
    expect(warnings).toEqual([warning]);
    expect(wantedBy(draft).map(({ rules }) => describeRbac(rules))).toContain(needs);
  });

  it('is not said to need the permission that it has, if other steps, which are blocked, lack theirs', () => {
    const permissions = without('patch on jobs in demo', `${exec} in demo`);
    const { pods } = planSweep([draft], known({ ...jobOfPod(full), permissions }));
    expect(pods[0]?.targets).toMatchObject([
      { kind: 'Skipped', outcome: { because: { kind: 'Blocked', reason: 'UnknownEnd' } } },
    ]);
  });

  it.each<readonly [what: string, Partial<PodView>, Partial<Policy>]>([
    ['unless it is asked for', onFailure, { swap: early }],
    ['if nothing is swapped', onFailure, { raiseBackoffLimit: true }],
    ['if pods are not restarted', {}, asked],
    ['if no Job owns the pod', { ...onFailure, owner: undefined }, asked],
  ])('needs no permission %s', (_what, pod, more) => {
    const other = draftOf(podView(pod), more);
    expect(wantedBy(other).map(({ rules }) => describeRbac(rules))).not.toContain('patch on jobs');
    expect(planKnowing(jobOfPod(jobFacts()), other).swap?.raisesLimit).toBeUndefined();
  });

  it.each<JobFacts>([{ kind: 'Gone' }, { kind: 'Unreadable' }])('raises nothing of a Job: $kind', (job) => {
    expect(planKnowing(jobOfPod(job), draft).swap?.raisesLimit).toBeUndefined();
  });
});

describe('what an unclean end costs decides the clearance', () => {
  // biome-ignore format: one row a line
  it.each<readonly [title: string, JobFacts, cost: object, term: string]>([
    ['retries left', jobFacts(), { kind: 'AnotherRun' }, 'Signal UnknownEnd'],
    ['no retries left', jobFacts({ backoffLimit: 0 }), { kind: 'Job', because: 'NoRetriesLeft' }, 'Signal UnknownEnd'],
    ['a Job that cannot be read', { kind: 'Unreadable' }, { kind: 'Job', because: 'JobUnreadable' }, 'Signal UnknownEnd'],
    ['a Job that is gone', { kind: 'Gone' }, { kind: 'Nothing' }, 'Signal free'],
  ])('%s', (_title, job, uncleanCost, term) => {
    const plan = planKnowing(jobOfPod(job), draftOf(podView()));
    expect(plan.uncleanCost).toEqual(uncleanCost);
    expect(inOrder(plan).split(', ')[0]).toBe(term);
  });

  it('is the worst if the Job was not read', () => {
    expect(planKnowing({ jobs: new Map() }).uncleanCost).toEqual({ kind: 'Job', because: 'JobUnreadable' });
  });
});

describe('a mesh proxy beside a sidecar to which nothing may be sent', () => {
  const proxy = { name: 'known', containers: ['proxy'], images: ['busybox'], mesh: true, steps: [quit] };
  const catalogue = [profile.parse(proxy)];
  const pod = (sidecar: string | ContainerView, ...others: readonly string[]) =>
    podWith([sidecar, 'proxy', ...others]);
  /** Its owner asks for what is not done. */
  const refused = (...others: readonly string[]) => {
    const { annotations, ...more } = pod('sidecar', ...others);
    return podView({ ...more, annotations: { ...annotations, [argoKey]: '["rm"]' } });
  };
  const targetsOf = (of: PodView, more: Partial<Policy> = {}) => {
    const plan = planOf(of, { catalogue, ...more });
    return { kinds: plan.targets.map(({ kind }) => kind), acts: mayAct(plan) };
  };

  it('is not planned, so that the pod takes no place of another', () => {
    expect(planOf(refused(), { catalogue }).targets[1]).toEqual({
      kind: 'Skipped',
      container: 'proxy',
      containerId: 'containerd://proxy-0',
      turn: 2,
      outcome: { kind: 'StillRunning', because: { kind: 'CarriesOthers' } },
      unfit: [],
    });
    expect(targetsOf(refused())).toEqual({ kinds: ['Skipped', 'Skipped'], acts: false });
  });

  it.each([[{ delete: true }], [swap]])('is left by the last resort as well: %j', (last) => {
    const plan = planOf(refused(), { catalogue, lastResort: specs(last) });
    expect(plan.lastResort).toEqual([]);
    expect(mayAct(plan)).toBe(false);
  });

  /** What the other sidecar and the proxy are asked to end by. */
  const asks = (app: object, mesh: object) => ({
    catalogue: [profile.parse({ ...proxy, steps: [mesh] }), profileOf('sidecar', app)],
  });
  const [term, endsClean] = [{ signal: ['TERM'] }, { signal: ['TERM'], exitCode: 0 }];
  const withDelete = { lastResort: specs({ delete: true }) };

  // biome-ignore format: one row a line
  it.each<readonly [title: string, PodView, Partial<Policy>, kinds: readonly string[], acts: boolean]>([
    ['is not planned beside a last resort for another, which ends it with the pod', refused('other'), withDelete, ['Skipped', 'Skipped', 'Planned'], false],
    ['leaves another to a last resort that does not end the pod', refused('other'), { lastResort: specs(swap) }, ['Skipped', 'Skipped', 'Planned'], true],
    ['is not planned beside one whose steps are all blocked', pod('sidecar'), asks(term, quit), ['Planned', 'Skipped'], false],
    ['is planned if one of them may be sent', pod('sidecar'), asks(endsClean, quit), ['Planned', 'Planned'], true],
    ['stays planned if its own steps are blocked as well, so that the reason is told', pod('sidecar'), asks(term, term), ['Planned', 'Planned'], false],
    ['is planned if the other has ended', pod(container('sidecar', exited())), {}, ['Skipped', 'Planned'], true],
  ])('%s', (_title, of, more, kinds, acts) => {
    expect(targetsOf(of, more)).toEqual({ kinds, acts });
  });
});
