import { afterEach, describe, expect, it } from 'vitest';
import { admissionPolicyFor } from '../../../../src/advice/admission-policy.ts';
import { catalogue } from '../../../../src/policy/catalogue.ts';
import { exited, running, container as view } from '../../../builders/pod-view.ts';
import { cronJob, stuck, versions } from '../../../builders/stuck.ts';
import type { Pod, PodWebhook } from '../../../kit/emulator/index.ts';
import { container } from '../../../kit/stuck-pods.ts';
import { messageOf, stage } from './stage.ts';

/** Adds `agent` to pods with an annotation, unless it finds it in `containers`: the trap of injectors that are asked again. */
const injector: PodWebhook = {
  reinvocationPolicy: 'IfNeeded',
  rewrite(pod) {
    const { inject } = pod.metadata.annotations ?? {};
    const isMarked = inject === 'marks' && pod.metadata.annotations?.['status'] === 'injected';
    if (!inject || isMarked || pod.spec.containers.some(({ name }) => name === 'agent')) return pod;
    const metadata = { ...pod.metadata, annotations: { ...pod.metadata.annotations, status: 'injected' } };
    const containers = [...pod.spec.containers, container('agent')];
    return { ...pod, metadata, spec: { ...pod.spec, containers } };
  },
};

const cluster = stage({ webhook: injector });
const registration = '/apis/admissionregistration.k8s.io/v1';
const plurals = {
  MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
  MutatingAdmissionPolicyBinding: 'mutatingadmissionpolicybindings',
};
type Kind = keyof typeof plurals;
type Json = Readonly<Record<string, unknown>>;

afterEach(() => {
  const { store } = cluster.emulator.world;
  for (const resource of [...Object.values(plurals), 'pods']) {
    for (const { metadata } of store.list(resource))
      store.delete(resource, metadata.namespace, metadata.name);
  }
});

async function apply(manifests: readonly Json[]): Promise<void> {
  for (const body of manifests) {
    const path = `${registration}/${plurals[body['kind'] as Kind]}`;
    expect(await cluster.ask('POST', path, { body })).toMatchObject({ status: 201 });
  }
}

/** The policy that advice has for these sidecars, for pods of every namespace. */
function advised(...names: readonly string[]): readonly Json[] {
  const containers = [view('main', exited()), ...names.map((name) => view(name, running))];
  const annotations = { 'sidecar-sweeper.dev/sidecars': names.join() };
  const origin = cronJob({ containers: ['main', ...names] });
  const found = [{ origin, candidates: [stuck({ containers, annotations })] }];
  const [policy, ...binding] = admissionPolicyFor(found, versions('v1.36.2'), catalogue)?.manifests ?? [];
  return [changed(policy ?? {}, { matchConstraints: { resourceRules: onPods } }), ...binding];
}

const onPods = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }];
const changed = (policy: Json, spec: Json): Json => ({
  ...policy,
  spec: { ...(policy['spec'] as Json), ...spec },
});

interface Made {
  readonly containers: readonly string[];
  readonly initContainers?: readonly string[];
  readonly native?: readonly string[];
  readonly restartPolicy?: string;
  readonly inject?: 'marks' | 'forgets';
}

/** Creates a pod, and tells how its containers came out, such as `init! main`: with `!`, one is native. */
async function create({
  containers,
  initContainers = [],
  native = [],
  restartPolicy = 'Never',
  inject,
}: Made) {
  const init = [
    ...initContainers.map((name) => container(name)),
    ...native.map((name) => container(name, { restartPolicy: 'Always' })),
  ];
  const answer = await cluster.ask('POST', '/api/v1/namespaces/demo/pods', {
    body: {
      metadata: { name: 'x', annotations: inject ? { inject } : {} },
      spec: {
        restartPolicy,
        containers: containers.map((name) => container(name)),
        ...(init.length > 0 && { initContainers: init }),
      },
    },
  });
  if (answer.status !== 201) return messageOf(answer);
  const { spec } = answer.body as Pod;
  const told = (spec.initContainers ?? []).map(
    (each) => `${each.name}${each.restartPolicy === 'Always' ? '!' : ''}`,
  );
  return [...told, '|', ...spec.containers.map(({ name }) => name)].join(' ');
}

describe('the policy of advise makes of a pod with', () => {
  // biome-ignore format: one row a line
  it.each<readonly [what: string, made: Made, expected: string]>([
    ['the sidecar', { containers: ['main', 'agent'] }, 'agent! | main'],
    ['the sidecar first', { containers: ['agent', 'main'] }, 'agent! | main'],
    ['init containers, which stay before it', { containers: ['main', 'agent'], initContainers: ['a', 'b'] }, 'a b agent! | main'],
    ['two sidecars, in the order of the policy', { containers: ['main', 'logger', 'agent'] }, 'agent! logger! | main'],
    ['neither', { containers: ['main', 'other'] }, '| main other'],
    ['the sidecar as a native one', { containers: ['main'], native: ['agent'] }, 'agent! | main'],
    ['nothing but the sidecar', { containers: ['agent'] }, '| agent'],
    ['nothing but two sidecars, of which one stays', { containers: ['agent', 'logger'] }, 'agent! | logger'],
    ['no end', { containers: ['main', 'agent'], restartPolicy: 'Always' }, '| main agent'],
    ['a sidecar that its injector adds', { containers: ['main'], inject: 'marks' }, 'agent! | main'],
    ['one that an injector adds, and one of its own', { containers: ['main', 'logger'], inject: 'marks' }, 'logger! agent! | main'],
  ])('%s', async (_what, made, expected) => {
    await apply(advised('agent', 'logger'));
    expect(await create(made)).toBe(expected);
  });

  it('an injector that looks among containers alone: it adds a second one, and the pod is refused', async () => {
    await apply(advised('agent'));
    expect(await create({ containers: ['main'], inject: 'forgets' })).toContain(
      'spec.initContainers[0].name: Duplicate value: "agent"',
    );
  });
});

/** Run on a real 1.36.2, with an injector that is itself such a policy: a Job whose agent exits with 143 was Complete after 7 s. */
const recorded = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicy',
  metadata: { name: 'native-sidecars' },
  spec: {
    failurePolicy: 'Ignore',
    reinvocationPolicy: 'IfNeeded',
    matchConstraints: { namespaceSelector: { matchLabels: { native: 'yes' } }, resourceRules: onPods },
    matchConditions: [
      { name: 'meant-to-end', expression: "object.spec.?restartPolicy.orValue('Always') != 'Always'" },
    ],
    variables: [{ name: 'index', expression: "object.spec.containers.map(c, c.name).indexOf('agent')" }],
    mutations: [
      {
        patchType: 'JSONPatch',
        jsonPatch: {
          expression: `variables.index < 0 || size(object.spec.containers) < 2 ? [] :
            (has(object.spec.initContainers) ? [] : [JSONPatch{op: "add", path: "/spec/initContainers", value: []}]) +
            [JSONPatch{op: "add", path: "/spec/containers/" + string(variables.index) + "/restartPolicy", value: "Always"},
             JSONPatch{op: "move", from: "/spec/containers/" + string(variables.index), path: "/spec/initContainers/-"}]`,
        },
      },
    ],
  },
};
const boundTo = (name: string) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name },
});
const injecting = (name: string) => ({
  ...recorded,
  metadata: { name },
  spec: {
    matchConstraints: { resourceRules: onPods },
    mutations: [
      {
        patchType: 'JSONPatch',
        jsonPatch: {
          expression:
            '[JSONPatch{op: "add", path: "/spec/containers/-", value: {"name": "agent", "image": "agent:1"}}]',
        },
      },
    ],
  },
});

it.each(['a-injector', 'z-injector'])('it moves what another policy adds, here %s', async (name) => {
  const { store } = cluster.emulator.world;
  const label = (labels: object) =>
    store.update('namespaces', undefined, 'demo', (old) => ({
      ...old,
      metadata: { ...old.metadata, labels: { ...labels } },
    }));
  await apply([recorded, boundTo('native-sidecars'), injecting(name), boundTo(name)]);
  label({});
  expect(await create({ containers: ['main'] })).toBe('| main agent');
  store.delete('pods', 'demo', 'x');
  label({ native: 'yes' });
  expect(await create({ containers: ['main'] })).toBe('agent! | main');
});

it.each(['object.metadata.name.nosuch()', 'nosuch.name'])(
  'what the emulator cannot evaluate is its own loud error: %s',
  async (expression) => {
    const jsonPatch = { expression };
    const spec = { ...recorded.spec, mutations: [{ patchType: 'JSONPatch', jsonPatch }] };
    const matchConstraints = { resourceRules: onPods };
    await apply([changed({ ...recorded, spec }, { matchConstraints }), boundTo('native-sidecars')]);
    expect(await create({ containers: ['main'] })).toMatch(/^the emulator failed: /);
  },
);
