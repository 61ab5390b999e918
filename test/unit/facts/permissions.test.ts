import { describe, expect, it } from 'vitest';
import { askForSwaps, createPermissionAsker, gatherPermissions } from '../../../src/facts/permissions.ts';
import { describeRbac, execRule, type Permissions, type RbacRule } from '../../../src/methods/permissions.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { Access, Cluster, ImageSwap, Permission, WriteResult } from '../../../src/model/ports.ts';
import { draftPod, type PodDraft } from '../../../src/plan/draft.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { CountedSlots } from '../../builders/cluster.ts';
import { candidate } from '../../builders/plan.ts';
import { everythingAllowed, knowing, specs } from '../../builders/planned.ts';
import { container, exited, podView, podWith, podWithSidecar } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';

const abort = new AbortController().signal;
const allowed: Access = { kind: 'Allowed' };
const denied: Access = { kind: 'Denied' };
const unknown: Access = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } };
const portForward: RbacRule = { ...execRule, resources: ['pods/portforward'] };
const patch: RbacRule = { apiGroups: [''], resources: ['pods'], verbs: ['patch'] };

/** A permission in words: `create pods/exec in demo`. */
function words({ verb, resource, subresource, namespace = 'all' }: Permission): string {
  return `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`} in ${namespace}`;
}

/** A server that allows everything but these, and the questions that it was asked. */
function server(answers: Readonly<Record<string, Access>> = {}) {
  const asked: string[] = [];
  const counted = new CountedSlots();
  const cluster = {
    async mayI(permission: Permission, signal: AbortSignal) {
      expect(signal).toBe(abort);
      asked.push(words(permission));
      return answers[words(permission)] ?? allowed;
    },
  };
  return { asked, ask: createPermissionAsker(cluster, counted.take, abort), counted };
}

describe('a question', () => {
  it('is asked once, in a slot', async () => {
    const { ask, asked, counted } = server({ 'get pods in demo': denied });
    const permission = { verb: 'get', group: '', resource: 'pods', namespace: 'demo' };
    expect(await Promise.all([ask(permission), ask({ ...permission })])).toEqual([denied, denied]);
    expect(await ask(permission)).toBe(denied);
    expect(asked).toEqual(['get pods in demo']);
    expect(counted.taken).toBe(1);
  });

  it('that differs is another one', async () => {
    const { ask, asked } = server();
    const permission = { verb: 'get', group: '', resource: 'pods', namespace: 'demo' };
    const more = [{}, { verb: 'list' }, { subresource: 'exec' }, { namespace: 'other' }, { group: 'batch' }];
    for (const change of more) await ask({ ...permission, ...change });
    expect(asked).toHaveLength(5);
  });
});

describe('what is asked', () => {
  const inA = [portForward, execRule, execRule, patch].map((rule) => ({ rules: [rule], namespace: 'a' }));
  const wanted = [...inA, { rules: [execRule], namespace: 'b' }];

  it('is every verb, once for all namespaces', async () => {
    const { ask, asked } = server();
    const permissions = await gatherPermissions(wanted, ask);
    const to = (verb: string) => ['exec', 'portforward'].map((what) => `${verb} pods/${what} in all`);
    expect([...asked].sort()).toEqual([...to('create'), ...to('get'), 'patch pods in all']);
    for (const { rules, namespace } of wanted) expect(permissions.allow(rules, namespace)).toBe(true);
  });

  it('is each namespace that needs it, where it is denied for all of them', async () => {
    const { ask, asked } = server({ 'create pods/exec in all': denied, 'create pods/exec in b': denied });
    const permissions = await gatherPermissions(wanted, ask);
    const each = ['create', 'get'].flatMap((verb) => ['a', 'b'].map((one) => `${verb} pods/exec in ${one}`));
    expect(asked.filter((one) => !one.endsWith(' in all')).sort()).toEqual(each);
    expect(permissions.allow([execRule], 'a')).toBe(true);
    expect(permissions.allow([execRule], 'b')).toBe(false);
    expect(permissions.allow([portForward], 'a')).toBe(true);
    expect(permissions.allow([patch], 'a')).toBe(true);
  });

  it('is nothing if no method needs anything', async () => {
    const { ask, asked } = server();
    expect((await gatherPermissions([], ask)).allow([execRule], 'a')).toBe(true);
    expect((await gatherPermissions([{ rules: [], namespace: 'a' }], ask)).allow([], 'a')).toBe(true);
    expect(asked).toEqual([]);
  });

  it('counts as allowed if the server does not answer: the attempt will show', async () => {
    const unsure = server({ 'create pods/exec in all': unknown, 'get pods/exec in all': unknown });
    expect((await gatherPermissions(wanted, unsure.ask)).allow([execRule], 'a')).toBe(true);
    expect(unsure.asked.filter((one) => !one.endsWith(' in all'))).toEqual([]);
    const { ask } = server({ 'patch pods in all': denied, 'patch pods in a': unknown });
    expect((await gatherPermissions(wanted, ask)).allow([patch], 'a')).toBe(true);
  });

  it('is denied if one of its verbs, or one of several rules, is denied', async () => {
    const exec = server({ 'get pods/exec in all': denied, 'get pods/exec in a': denied });
    expect((await gatherPermissions(wanted, exec.ask)).allow([execRule], 'a')).toBe(false);
    const { ask } = server({ 'patch pods in all': denied, 'patch pods in a': denied });
    const both = [execRule, patch];
    const permissions = await gatherPermissions([{ rules: both, namespace: 'a' }], ask);
    expect(permissions.allow(both, 'a')).toBe(false);
    expect(permissions.allow([execRule], 'a')).toBe(true);
  });
});

const [swap] = specs({ imageSwap: { image: 'noop:1' } });
const early: Partial<Policy> = { swap };

function draft(name: string, more: Partial<Policy> = early, pod: Partial<PodView> = {}): PodDraft {
  const ref = { namespace: 'demo', name, uid: `uid-of-${name}` };
  return draftPod(candidate(podView({ ...pod, ref })), policy(more));
}

/** What a server says that answers like this, and what it was asked. */
async function askFor(
  drafts: readonly PodDraft[],
  result: WriteResult = { kind: 'Written' },
  permissions: Permissions = everythingAllowed,
) {
  const asked: (readonly [pod: string, swaps: readonly ImageSwap[]])[] = [];
  const counted = new CountedSlots();
  const swapImages: Cluster['swapImages'] = async ({ name }, swaps, options, signal) => {
    expect(options).toEqual({ dryRun: true });
    expect(signal).toBe(abort);
    asked.push([name, swaps]);
    return result;
  };
  const answers = await askForSwaps(drafts, permissions, { swapImages }, counted.take, abort);
  return { answers: [...answers], asked, slotsUsed: counted.taken };
}

it('a webhook that cannot be asked in a dry run says nothing of the swap itself', async () => {
  const message = 'admission webhook "pods.acme.example" does not support dry run';
  expect((await askFor([draft('a')], { kind: 'Rejected', message })).answers).toEqual([]);
});

const sidecarTo = (image: string) => [{ container: 'sidecar', image }];

describe('a dry run of the swap is sent', () => {
  it('for each pod once, in a slot, with all sidecars that can be swapped', async () => {
    const two = draft('b', early, podWith(['x', container('y', exited()), 'z']));
    const { asked, slotsUsed } = await askFor([draft('a'), two]);
    const both = ['x', 'z'].map((name) => ({ container: name, image: 'noop:1' }));
    expect(asked).toEqual(Object.entries({ a: sidecarTo('noop:1'), b: both }));
    expect(slotsUsed).toBe(2);
  });

  const always = podWithSidecar({ restartPolicy: 'Always' });
  const mounted = podWithSidecar({ command: ['/tools/run'], mounts: ['/tools'] });
  const lastResort = specs({ delete: true }, { imageSwap: { image: 'noop:2' } });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, PodDraft, image: string | undefined]>([
    ['for a swap that is only a last resort', draft('a', { lastResort }), 'noop:2'],
    ['for a swap that a profile asks for', draft('a', knowing({ imageSwap: { image: 'noop:3' } })), 'noop:3'],
    ['but not if nothing swaps images', draft('a', { lastResort: specs({ delete: true }) }), undefined],
    ['but not if the sidecar is restarted whatever it runs', draft('a', early, always), undefined],
    ['but not if its program lies in a volume', draft('a', early, mounted), undefined],
  ])('%s', async (_title, one, image) => {
    expect((await askFor([one])).asked).toEqual(image === undefined ? [] : [['a', sidecarTo(image)]]);
  });

  it('but not by an account that may not patch', async () => {
    const permissions: Permissions = { allow: (rules) => describeRbac(rules) !== 'patch on pods' };
    const { asked, answers } = await askFor([draft('a')], { kind: 'Written' }, permissions);
    expect([asked, answers]).toEqual([[], []]);
  });
});

describe('what the server answers', () => {
  it.each(['Rejected', 'Refused'] as const)('is kept if it is %s by a policy or a webhook', async (kind) => {
    const message = 'violates PodSecurity "restricted:latest"';
    const { answers } = await askFor([draft('a')], { kind, message });
    expect(answers).toEqual([['uid-of-a', { kind: 'Refused', asked: 'noop:1', message }]]);
  });

  it('is kept if it has the images that the pod then has', async () => {
    const images = { sidecar: 'mirror.example/noop:1' };
    const { answers } = await askFor([draft('a')], { kind: 'Written', images });
    expect(answers).toEqual([['uid-of-a', { kind: 'Admitted', asked: 'noop:1', images }]]);
  });

  it.each<WriteResult>([
    { kind: 'Written' },
    { kind: 'Conflict', message: 'the pod changed before the patch' },
    { kind: 'Unconfirmed', message: 'no answer' },
    { kind: 'Undelivered', message: 'no answer' },
    { kind: 'Busy', message: 'too many requests', retryAfterMs: 1_000 },
  ])('says nothing if it is $kind: the swap itself will', async (result) => {
    expect((await askFor([draft('a')], result)).answers).toEqual([]);
  });
});
