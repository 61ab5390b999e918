import { afterEach, describe, expect, it } from 'vitest';
import { admissionPolicyFor } from '../../../../src/advice/admission-policy.ts';
import { catalogue } from '../../../../src/policy/catalogue.ts';
import { exited, running, container as view } from '../../../builders/pod-view.ts';
import { cronJob, stuck, versions } from '../../../builders/stuck.ts';
import type { Container, Pod, PodWebhook } from '../../../kit/emulator/index.ts';
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
  const spec = { ...Object(policy?.['spec']), matchConstraints: { resourceRules: onPods } };
  return [{ ...policy, spec }, ...binding];
}

const onPods = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }];

/** A container such as `agent`; with `!`, it restarts always, as a native sidecar does. */
const parsed = (name: string) =>
  name.endsWith('!') ? container(name.slice(0, -1), { restartPolicy: 'Always' }) : container(name);
const told = ({ name, restartPolicy }: Container) => (restartPolicy === 'Always' ? `${name}!` : name);

interface Made {
  readonly restartPolicy?: 'Always';
  readonly inject?: 'marks' | 'forgets';
}

/** Creates a pod with containers such as `setup native! | main agent`, and tells how they came out. */
async function create(written: string, { restartPolicy, inject }: Made = {}) {
  const lists = written.split('|').map((part) => part.split(' ').filter(Boolean).map(parsed));
  const [init = [], containers = []] = lists;
  const answer = await cluster.ask('POST', '/api/v1/namespaces/demo/pods', {
    body: {
      metadata: { name: 'x', annotations: inject ? { inject } : {} },
      spec: {
        restartPolicy: restartPolicy ?? 'Never',
        containers,
        ...(init.length > 0 && { initContainers: init }),
      },
    },
  });
  if (answer.status !== 201) return messageOf(answer);
  const { spec } = answer.body as Pod;
  return [...(spec.initContainers ?? []).map(told), '|', ...spec.containers.map(told)].join(' ');
}

describe('the policy of advise makes of a pod with', () => {
  // biome-ignore format: one row a line
  it.each<readonly [what: string, written: string, expected: string, made: Made]>([
    ['the sidecar', '| main agent', 'agent! | main', {}],
    ['the sidecar first', '| agent main', 'agent! | main', {}],
    ['init containers, which stay before it', 'a b | main agent', 'a b agent! | main', {}],
    ['two sidecars, in the order of the policy', '| main logger agent', 'agent! logger! | main', {}],
    ['neither', '| main other', '| main other', {}],
    ['the sidecar as a native one', 'agent! | main', 'agent! | main', {}],
    ['nothing but the sidecar', '| agent', '| agent', {}],
    ['nothing but two sidecars, of which one stays', '| agent logger', 'agent! | logger', {}],
    ['no end', '| main agent', '| main agent', { restartPolicy: 'Always' }],
    ['a sidecar that its injector adds', '| main', 'agent! | main', { inject: 'marks' }],
    ['one that an injector adds, and one of its own', '| main logger', 'logger! agent! | main', { inject: 'marks' }],
  ])('%s', async (_what, written, expected, made) => {
    await apply(advised('agent', 'logger'));
    expect(await create(written, made)).toBe(expected);
  });

  it('an injector that looks among containers alone: it adds a second one, and the pod is refused', async () => {
    await apply(advised('agent'));
    expect(await create('| main', { inject: 'forgets' })).toContain(
      'spec.initContainers[0].name: Duplicate value: "agent"',
    );
  });
});

const registered = (kind: Kind, name: string, spec: Json) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name },
  spec,
});
const boundTo = (name: string) => registered('MutatingAdmissionPolicyBinding', name, { policyName: name });
const patching = (name: string, expression: string, spec: Json = {}) =>
  registered('MutatingAdmissionPolicy', name, {
    matchConstraints: { resourceRules: onPods },
    ...spec,
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  });
const injecting = (name: string) =>
  patching(
    name,
    '[JSONPatch{op: "add", path: "/spec/containers/-", value: {"name": "agent", "image": "agent:1"}}]',
  );

// Run on a real 1.36.2 with an injector that is itself such a policy: policies are asked in the order of their names.
it.each(['a-injector', 'z-injector'])('it moves what another policy adds, here %s', async (name) => {
  await apply([...advised('agent'), injecting(name), boundTo(name)]);
  expect(await create('| main')).toBe('agent! | main');
});

it.each(['object.metadata.name.nosuch()', 'nosuch.name'])(
  'what the emulator cannot evaluate is its own loud error: %s',
  async (expression) => {
    await apply([patching('x', expression, { failurePolicy: 'Ignore' }), boundTo('x')]);
    expect(await create('| main')).toMatch(/^the emulator failed: /);
  },
);
