import { describe, expect, it } from 'vitest';
import { askPermissions, withoutForbidden } from '../../../src/apply/permissions.ts';
import { createSlots } from '../../../src/apply/slots.ts';
import { methods } from '../../../src/methods/index.ts';
import { accessesOf, describeRules } from '../../../src/methods/rules.ts';
import type { Access } from '../../../src/ports.ts';
import type { PodPlan, SweepPlan } from '../../../src/vocabulary.ts';
import { candidate, plannedTarget, podPlan, skippedTarget, steps } from '../../builders/plan.ts';
import { now, podView } from '../../builders/pod-view.ts';

const { signal } = new AbortController();
const { Http, Signal, ImageSwap, Delete } = steps;

function inNamespace(namespace: string, more: Partial<PodPlan> = {}): PodPlan {
  const ref = { namespace, name: 'work', uid: `uid-${namespace}` };
  return podPlan({ candidate: candidate(podView({ ref })), ...more });
}

function plan(...pods: readonly PodPlan[]): SweepPlan {
  return { asOf: now, pods, warnings: [] };
}

/** Access in words: `create pods/exec in demo`. */
function words({ verb, resource, subresource, namespace = 'all' }: Access): string {
  return `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`} in ${namespace}`;
}

/** What a server says that denies these, and does not know about those. */
async function ask(sweep: SweepPlan, denied: readonly string[], unknown: readonly string[] = []) {
  const asked: string[] = [];
  const cluster = {
    async mayI(access: Access) {
      asked.push(words(access));
      if (denied.includes(words(access))) return 'No' as const;
      return unknown.includes(words(access)) ? ('Unknown' as const) : ('Yes' as const);
    },
  };
  return { permissions: await askPermissions(sweep, cluster, createSlots(5), signal), asked };
}

describe('what is asked', () => {
  const sweep = plan(
    inNamespace('a', { targets: [plannedTarget({ steps: [Http, Signal] })], lastResort: [ImageSwap] }),
    inNamespace('b', { targets: [skippedTarget(), plannedTarget({ steps: [Signal] })] }),
  );

  it('is every verb that the methods of the plan need, once for all namespaces', async () => {
    const { permissions, asked } = await ask(sweep, []);
    expect([...asked].sort()).toEqual([
      'create pods/exec in all',
      'create pods/portforward in all',
      'get pods/exec in all',
      'get pods/portforward in all',
      'patch pods in all',
    ]);
    expect(permissions.warnings).toEqual([]);
    expect(permissions.mayUse('Signal', 'a')).toBe(true);
  });

  it('is, where that is denied, each namespace that needs it', async () => {
    const denied = ['create pods/exec in all', 'create pods/exec in b'];
    const { permissions, asked } = await ask(sweep, denied);
    expect(asked.filter((one) => one.includes('exec') && !one.endsWith(' all')).sort()).toEqual([
      'create pods/exec in a',
      'create pods/exec in b',
      'get pods/exec in a',
      'get pods/exec in b',
    ]);
    expect(permissions.mayUse('Signal', 'a')).toBe(true);
    expect(permissions.mayUse('Signal', 'b')).toBe(false);
    expect(permissions.mayUse('Http', 'b')).toBe(true);
  });

  it('is asked once, although two methods need it', async () => {
    const both = inNamespace('a', { targets: [plannedTarget({ steps: [steps.Command, Signal] })] });
    const { asked } = await ask(plan(both), []);
    expect([...asked].sort()).toEqual(['create pods/exec in all', 'get pods/exec in all']);
  });

  it('is nothing when nothing is planned', async () => {
    const { asked } = await ask(plan(inNamespace('a', { targets: [skippedTarget()] })), []);
    expect(asked).toEqual([]);
  });

  it('may be used when the server does not say: the attempt will tell', async () => {
    const { permissions } = await ask(sweep, [], ['create pods/exec in all', 'get pods/exec in all']);
    expect(permissions.mayUse('Signal', 'a')).toBe(true);
    expect(permissions.warnings).toEqual([]);
  });

  it('may not be used when one of its verbs is denied', async () => {
    const { permissions } = await ask(sweep, [
      'get pods/exec in all',
      'get pods/exec in a',
      'get pods/exec in b',
    ]);
    expect(permissions.mayUse('Signal', 'a')).toBe(false);
    expect(permissions.mayUse('Signal', 'b')).toBe(false);
  });

  it('is warned of, with the rule that would allow it', async () => {
    const { permissions } = await ask(sweep, ['create pods/exec in all', 'create pods/exec in b']);
    expect(permissions.warnings).toEqual([
      { kind: 'NoPermission', method: 'Signal', namespace: 'b', rule: 'get, create on pods/exec' },
    ]);
  });
});

describe('a plan without what may not be done', () => {
  const sweep = plan(
    inNamespace('a', {
      targets: [plannedTarget({ steps: [Http, Signal, Http] })],
      lastResort: [ImageSwap, Delete],
    }),
  );
  const only = async (denied: readonly string[]) => {
    const { permissions } = await ask(sweep, denied);
    const [pod] = withoutForbidden(sweep, permissions, 'canary').pods;
    if (!pod) expect.fail('the pod was lost');
    return pod;
  };

  it('is the same when all may be done', async () => {
    expect(await only([])).toEqual(sweep.pods[0]);
  });

  it('goes on with the next step, and says once why not with this one', async () => {
    const { targets } = await only(['get pods/portforward in all', 'get pods/portforward in a']);
    expect(targets).toMatchObject([
      {
        steps: [{ method: 'Signal' }],
        unfit: [{ method: 'Http', reason: 'NoPermission', detail: 'get, create on pods/portforward' }],
      },
    ]);
  });

  it('keeps of the last resort what may be done', async () => {
    const { lastResort } = await only(['patch pods in all', 'patch pods in a']);
    expect(lastResort.map(({ method }) => method)).toEqual(['Delete']);
  });

  it('expects what the first step promises that is left', async () => {
    const promising = plan(
      inNamespace('a', {
        targets: [plannedTarget({ steps: [{ ...Http, exitCode: 0 }, Signal] })],
        prediction: { exitCode: 0, phase: 'Succeeded', job: 'Completes' },
      }),
    );
    const denied = ['get pods/portforward in all', 'get pods/portforward in a'];
    const { permissions } = await ask(promising, denied);
    expect(withoutForbidden(promising, permissions, 'canary').pods[0]?.prediction).toEqual({
      phase: 'Unknown',
      job: 'Unknown',
    });
  });

  it('has no step for a sidecar to which nothing may be done, and says what it would need', async () => {
    const denied = ['pods/portforward', 'pods/exec', 'pods'].flatMap((path) =>
      ['get', 'create', 'patch', 'delete'].flatMap((verb) => [
        `${verb} ${path} in all`,
        `${verb} ${path} in a`,
      ]),
    );
    const { targets, lastResort } = await only(denied);
    expect(lastResort).toEqual([]);
    expect(targets).toEqual([
      {
        kind: 'Skipped',
        container: 'sidecar',
        outcome: {
          kind: 'Refused',
          message:
            'needs get, create on pods/portforward; get, create on pods/exec; patch on pods; delete on pods',
        },
      },
    ]);
  });

  it('says what it would need also when a last resort was all there is', async () => {
    const last = plan(inNamespace('a', { targets: [plannedTarget({ steps: [] })], lastResort: [ImageSwap] }));
    const { permissions } = await ask(last, ['patch pods in all', 'patch pods in a']);
    expect(withoutForbidden(last, permissions, 'canary').pods[0]?.targets).toMatchObject([
      { kind: 'Skipped', outcome: { kind: 'Refused', message: 'needs patch on pods' } },
    ]);
  });

  it('leaves skipped sidecars as they are', async () => {
    const skipped = plan(inNamespace('a', { targets: [skippedTarget()] }));
    const { permissions } = await ask(skipped, []);
    expect(withoutForbidden(skipped, permissions, 'canary')).toMatchObject({
      pods: [{ targets: [skippedTarget()] }],
    });
  });
});

describe('a rule', () => {
  it('reads as RBAC has it', () => {
    expect(describeRules(methods.Http.rbac)).toBe('get, create on pods/portforward');
    expect(describeRules([...methods.Signal.rbac, ...methods.Delete.rbac])).toBe(
      'get, create on pods/exec; delete on pods',
    );
  });

  it('allows each of its verbs on each of its resources', () => {
    const rule = { apiGroups: ['', 'batch'], resources: ['pods/exec', 'jobs'], verbs: ['get'] };
    expect(accessesOf(rule, 'demo')).toEqual([
      { verb: 'get', group: '', resource: 'pods', subresource: 'exec', namespace: 'demo' },
      { verb: 'get', group: '', resource: 'jobs', namespace: 'demo' },
      { verb: 'get', group: 'batch', resource: 'pods', subresource: 'exec', namespace: 'demo' },
      { verb: 'get', group: 'batch', resource: 'jobs', namespace: 'demo' },
    ]);
    expect(accessesOf({ apiGroups: [''], resources: ['pods'], verbs: ['patch'] }, undefined)).toStrictEqual([
      { verb: 'patch', group: '', resource: 'pods' },
    ]);
  });
});
