import { describe, expect, it } from 'vitest';
import { describeRbac, type Permissions } from '../../../src/methods/rbac.ts';
import { draftPod, type PodDraft } from '../../../src/plan/draft.ts';
import { planSweep, wantedBy } from '../../../src/plan/plan.ts';
import type { PodPlan } from '../../../src/plan/sweep-plan.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import type { PodView, Unfit } from '../../../src/vocabulary.ts';
import { candidate, steps } from '../../builders/plan.ts';
import {
  everythingAllowed,
  known,
  planned,
  planOf,
  specs,
  sweepPlanOf,
  targetsOf,
} from '../../builders/planned.ts';
import { container, exited, now, podView, running } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';

const quit = { http: { port: 15_020, path: '/quitquitquit' }, exitCode: 0 };
const swap = { imageSwap: { image: 'noop:1' } };
const ownSpec = { method: 'Own', own: { ...steps.Own.own }, exitCode: 0 } as const;
const exec = 'get, create on pods/exec';
const portForward = 'get, create on pods/portforward';

function inNamespace(namespace: string, more: Partial<PodView> = {}): PodView {
  return podView({ ref: { namespace, name: 'work', uid: `uid-${namespace}` }, ...more });
}

function draftOf(pod: PodView, more: Partial<Policy> = {}): PodDraft {
  return draftPod(candidate(pod), policy(more));
}

/** An account that may do everything but this, written as `get on pods in demo`. */
function without(...denied: readonly string[]): Permissions {
  return { allow: (rules, namespace) => !denied.includes(`${describeRbac(rules)} in ${namespace}`) };
}

/** The plan for a pod of `demo` by such an account. */
function planWithout(denied: readonly string[], more: Partial<Policy> = {}, pod = podView()): PodPlan {
  const permissions = without(...denied.map((rules) => `${rules} in demo`));
  const [plan] = planSweep([draftOf(pod, more)], permissions, 'canary', now).pods;
  if (!plan) expect.fail('no plan');
  return plan;
}

describe('what a sweep would need permission for', () => {
  it('is the rules of every step, in the namespace of the pod', () => {
    const drafts = [
      draftOf(inNamespace('a'), { ...known(quit), lastResort: specs(swap) }),
      draftOf(inNamespace('b'), { lastResort: [ownSpec] }),
    ];
    const wanted = wantedBy(drafts);
    expect(wanted.map(({ rules, namespace }) => `${describeRbac(rules)} in ${namespace}`)).toEqual([
      `${portForward} in a`,
      `${exec} in a`,
      `${exec} in a`,
      'patch on pods in a',
      `${exec} in b`,
      `${exec} in b`,
      'patch on pods in b',
    ]);
  });

  it('is nothing if nothing can be done', () => {
    expect(wantedBy([draftOf(podView({ processNamespace: 'Node' }))])).toEqual([]);
    expect(wantedBy([])).toEqual([]);
  });
});

describe('planning gives every step its clearance:', () => {
  const clearances = (more: Partial<Policy>, pod = podView()) => {
    const { targets, lastResort } = planOf(pod, more);
    const own = targets.flatMap((target) => (target.kind === 'Planned' ? target.steps : []));
    return [...own, ...lastResort].map(({ method, clearance }) => `${method} ${clearance}`);
  };
  const more = { ...known(quit), lastResort: [...specs(swap, { delete: true })] };

  it('by default one pod goes first, and what is known to end unclean is held', () => {
    expect(clearances(more)).toEqual([
      'Http Free',
      'Signal Canary',
      'Signal KnownUnclean',
      'ImageSwap Free',
      'Delete KnownUnclean',
    ]);
  });

  it('without a canary, an unknown code is forbidden', () => {
    expect(clearances({ ...more, uncleanExit: 'forbid' })).toEqual([
      'Http Free',
      'Signal Forbidden',
      'Signal KnownUnclean',
      'ImageSwap Free',
      'Delete KnownUnclean',
    ]);
  });

  it.each<readonly [title: string, Partial<Policy>, PodView]>([
    ['if the operator takes the risk', { uncleanExit: 'allow' }, podView()],
    ['if no Job owns the pod', {}, podView({ owner: undefined })],
  ])('all are free %s', (_title, other, pod) => {
    expect(clearances({ ...more, ...other }, pod)).toEqual([
      'Http Free',
      'Signal Free',
      'Signal Free',
      'ImageSwap Free',
      'Delete Free',
    ]);
  });
});

describe('a plan', () => {
  it('has every candidate, in order, with what was drafted', () => {
    const two = podView({
      annotations: { 'sidecar-sweeper.dev/sidecars': 'a,b' },
      containers: [container('a', running), container('main', exited()), container('b', running)],
    });
    const { asOf, pods } = sweepPlanOf([candidate(two), candidate()]);
    expect(asOf).toBe(now);
    expect(pods.map(({ targets }) => targets.map((target) => `${target.kind} ${target.container}`))).toEqual([
      ['Planned a', 'Planned b'],
      ['Planned sidecar'],
    ]);
    expect(pods[0]?.candidate).toEqual(candidate(two));
  });

  it('keeps what was drafted for a sidecar', () => {
    expect(planned(podView())).toEqual({
      kind: 'Planned',
      container: 'sidecar',
      containerId: 'containerd://sidecar-0',
      image: 'docker.io/local/busybox:1',
      variant: '[null,null]',
      steps: [
        { ...steps.Signal, clearance: 'Canary' },
        { ...steps.Signal, signals: ['KILL'], grace: 2_000, exitCode: 137, clearance: 'KnownUnclean' },
      ],
      unfit: [],
    });
  });

  it('keeps a sidecar that was skipped as it is', () => {
    const noSignal: Unfit = { method: 'Signal', reason: 'SeesTheNode', detail: 'hostPID' };
    expect(targetsOf(podView({ processNamespace: 'Node' }))).toEqual([
      {
        kind: 'Skipped',
        container: 'sidecar',
        outcome: { kind: 'Skipped', reason: { kind: 'NoWay' } },
        unfit: [noSignal, noSignal],
      },
    ]);
  });

  it('is plain JSON', () => {
    const plan = sweepPlanOf([candidate()], { ...known(quit), lastResort: [ownSpec, ...specs(swap)] });
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  it('says whether the pod is protected, and what to expect of it', () => {
    expect(planOf(podView(), known(quit))).toMatchObject({
      isProtected: true,
      prediction: { exitCode: 0, phase: 'Succeeded', job: 'Completes' },
    });
    const { isProtected, prediction } = planOf(podView({ owner: undefined }));
    expect(isProtected).toBe(false);
    expect(prediction).toStrictEqual({ phase: 'Unknown', job: 'NoJob' });
  });

  it('expects what the last resort promises, if that is the first step', () => {
    const { prediction } = planOf(podView({ processNamespace: 'Node' }), { lastResort: specs(swap) });
    expect(prediction).toStrictEqual({ exitCode: 0, phase: 'Succeeded', job: 'Completes' });
  });

  it('counts a sidecar that had ended by itself', () => {
    const withEnded = (exitCode: number) =>
      planOf(
        podView({
          annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' },
          containers: [
            container('main', exited()),
            container('logging', exited(exitCode)),
            container('sidecar', running),
          ],
        }),
        known(quit),
      ).prediction;
    expect(withEnded(0)).toStrictEqual({ exitCode: 0, phase: 'Succeeded', job: 'Completes' });
    expect(withEnded(3)).toStrictEqual({ exitCode: 3, phase: 'Failed', job: 'RunsAgain' });
  });

  it('for no candidates is empty', () => {
    expect(sweepPlanOf([])).toEqual({ asOf: now, pods: [], warnings: [] });
    expect(planSweep([], everythingAllowed, 'canary', undefined).asOf).toBeUndefined();
  });

  it('warns of a swap that may not start', () => {
    const pod = podView({
      containers: [container('main', exited()), container('sidecar', running, { command: ['/opt/agent'] })],
    });
    expect(sweepPlanOf([candidate(pod)], { lastResort: specs(swap) }).warnings).toEqual([
      {
        kind: 'NoopMayNotStart',
        noop: 'noop:1',
        image: 'docker.io/local/busybox:1',
        program: '/opt/agent',
        containers: 1,
      },
    ]);
    const draft = draftOf(pod, { lastResort: specs(swap) });
    const { warnings } = planSweep([draft], without('patch on pods in demo'), 'canary', now);
    expect(warnings.map(({ kind }) => kind)).toEqual(['NoPermission']);
  });
});

describe('a method of the library’s user', () => {
  it('is planned after the signals, with its own clearance', () => {
    expect(planned(podView(), { lastResort: [ownSpec] }).steps.slice(2)).toEqual([
      { ...steps.Own, source: { kind: 'LastResort' }, exitCode: 0, clearance: 'Free' },
    ]);
  });

  it('is left out without the permission that it says it needs', () => {
    const { targets } = planWithout(['patch on pods'], { lastResort: [ownSpec] });
    expect(targets).toMatchObject([
      {
        steps: [{ method: 'Signal' }, { method: 'Signal' }],
        unfit: [{ method: 'Own', reason: 'NoPermission', detail: 'patch on pods' }],
      },
    ]);
  });
});

describe('what the account may not do', () => {
  const more = { ...known(quit, { signal: ['TERM'] }, quit), lastResort: specs(swap, { delete: true }) };
  const reason = 'NoPermission';
  const noHttp: Unfit = {
    method: 'Http',
    reason,
    detail: portForward,
    does: 'POST localhost:15020/quitquitquit',
  };
  const noTerm: Unfit = { method: 'Signal', reason, detail: exec, does: 'signal TERM' };
  const noKill: Unfit = { method: 'Signal', reason, detail: exec, does: 'signal KILL' };
  const noSwap: Unfit = {
    method: 'ImageSwap',
    reason,
    detail: 'patch on pods',
    does: 'swap the image for noop:1',
  };
  const noDelete: Unfit = { method: 'Delete', reason, detail: 'delete on pods', does: 'delete the pod' };

  it('is left out; the plan goes on with the next step and says why once', () => {
    const { targets, lastResort } = planWithout([portForward], more);
    expect(targets).toMatchObject([
      { kind: 'Planned', steps: [{ signals: ['TERM'] }, { signals: ['KILL'] }], unfit: [noHttp] },
    ]);
    expect(lastResort.map(({ method }) => method)).toEqual(['ImageSwap', 'Delete']);
  });

  it('is left out of the last resort', () => {
    const { targets, lastResort } = planWithout(['patch on pods'], more);
    expect(lastResort.map(({ method }) => method)).toEqual(['Delete']);
    expect(targets).toMatchObject([{ steps: { length: 4 }, unfit: [noSwap] }]);
  });

  it('comes after what the pod shows cannot work', () => {
    const { targets } = planWithout([exec], more, podView({ hostNetwork: true }));
    const offNode: Unfit = { method: 'Http', reason: 'SeesTheNode', detail: 'hostNetwork' };
    expect(targets).toMatchObject([{ steps: [], unfit: [offNode, offNode, noTerm, noKill] }]);
  });

  it('does not count for the prediction', () => {
    expect(planWithout([], known(quit)).prediction).toMatchObject({ phase: 'Succeeded' });
    expect(planWithout([portForward], known(quit)).prediction).toStrictEqual({
      phase: 'Unknown',
      job: 'Unknown',
    });
  });

  it('skips a sidecar if nothing is left, and says what it would need', () => {
    const { targets, lastResort, prediction } = planWithout(
      [portForward, exec, 'patch on pods', 'delete on pods'],
      more,
    );
    const message = `needs ${portForward}; ${exec}; patch on pods; delete on pods`;
    expect(targets).toEqual([
      {
        kind: 'Skipped',
        container: 'sidecar',
        outcome: { kind: 'StillRunning', because: { kind: 'Refused', message } },
        unfit: [noHttp, noTerm, noKill, noSwap, noDelete],
      },
    ]);
    expect(lastResort).toEqual([]);
    expect(prediction).toStrictEqual({ phase: 'Running', job: 'StaysActive' });
  });

  it('is said of a last resort that is all there is', () => {
    const pod = podView({ processNamespace: 'Node' });
    expect(planWithout(['patch on pods'], { lastResort: specs(swap) }, pod).targets).toMatchObject([
      { kind: 'Skipped', outcome: { because: { kind: 'Refused', message: 'needs patch on pods' } } },
    ]);
  });

  it('depends on the namespace', () => {
    const drafts = [draftOf(inNamespace('a'), known(quit)), draftOf(inNamespace('b'), known(quit))];
    const { pods } = planSweep(drafts, without(`${portForward} in b`), 'canary', now);
    const first = pods.map(({ targets: [target] }) => target?.kind === 'Planned' && target.steps[0]?.method);
    expect(first).toEqual(['Http', 'Signal']);
  });

  it('is warned of once for each method and namespace, with what would allow it', () => {
    const drafts = ['a', 'b', 'a'].map((namespace) => draftOf(inNamespace(namespace), more));
    const permissions = without(`${portForward} in a`, `${portForward} in b`, 'patch on pods in b');
    expect(planSweep(drafts, permissions, 'canary', now).warnings).toEqual([
      { kind: 'NoPermission', method: 'Http', namespace: 'a', needs: portForward },
      { kind: 'NoPermission', method: 'Http', namespace: 'b', needs: portForward },
      { kind: 'NoPermission', method: 'ImageSwap', namespace: 'b', needs: 'patch on pods' },
    ]);
  });

  it('is nothing to warn of if everything is allowed', () => {
    expect(planSweep([draftOf(podView(), more)], everythingAllowed, 'canary', now).warnings).toEqual([]);
  });
});
