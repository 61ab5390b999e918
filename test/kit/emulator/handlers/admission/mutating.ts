import { isDeepStrictEqual } from 'node:util';
import jsonPatch from 'fast-json-patch';
import type { PodManifest } from '../../world/defaults.ts';
import type { KubeObject, Pod } from '../../world/objects.ts';
import { serviceAccountUser } from '../access.ts';
import { type Backend, type Call, present } from '../call.ts';
import { findResource, readRequestInfo } from '../resources.ts';
import { StatusError } from '../status.ts';
import { evaluate, type Variables } from './cel.ts';
import { holds, variablesOf } from './policies.ts';
import { matches, type Policy, type PolicyBinding, writeOf } from './requests.ts';

/** https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/mutating-admission-policy-v1/ */
interface MutatingPolicy extends KubeObject {
  readonly spec: Policy['spec'] & {
    readonly mutations: readonly { readonly jsonPatch: { readonly expression: string } }[];
    readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  };
}

interface Mutated<T> {
  readonly object: T;
  readonly oldObject?: T;
  readonly dryRun: boolean;
}

/**
 * The object that mutating admission makes of this one. Policies run before the webhook, and both once more afterwards if they ask
 * for that, but not those whose conditions were false at first: k8s.io/apiserver, admission/plugin/policy/mutating/dispatcher.go.
 */
export function mutate<T extends KubeObject>(call: Call, write: Mutated<T>): T {
  if (call.resource.resource !== 'pods' || call.info.subresource !== '') return write.object;
  const run = (policies: readonly MutatingPolicy[], object: T) =>
    runPolicies(call, policies, { ...write, object });
  const first = run(boundPolicies(call), write.object);
  const hooked = askWebhook(call, first.object);
  const again = first.ran.filter(({ spec }) => spec.reinvocationPolicy === 'IfNeeded');
  const { object } = run(again, hooked);
  const isAskedAgain =
    call.backend.webhook?.reinvocationPolicy === 'IfNeeded' && !isDeepStrictEqual(object, hooked);
  return isAskedAgain ? askWebhook(call, object) : object;
}

/** What admission makes of a pod that the Job controller creates. */
export function mutateJobPod(backend: Backend, manifest: PodManifest): PodManifest {
  const { namespace = 'default' } = manifest.metadata;
  const request = {
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/pods`,
    query: new URLSearchParams(),
    headers: {},
    upgrade: undefined,
    body: Buffer.alloc(0),
  };
  const info = readRequestInfo(request);
  const resource = findResource('', 'v1', 'pods');
  if (info.kind !== 'Resource' || !resource) throw new Error('the emulator does not serve pods');
  const user = serviceAccountUser('kube-system', 'job-controller');
  const call = { backend, request, info, resource, user, warn: () => {} };
  const object = manifest as unknown as KubeObject;
  return mutate(call, { object, dryRun: false }) as unknown as PodManifest;
}

/** In the order of their names. */
function boundPolicies({ backend: { store } }: Call): readonly MutatingPolicy[] {
  const bound = new Set(
    store.list<PolicyBinding>('mutatingadmissionpolicybindings').map(({ spec }) => spec.policyName),
  );
  return store
    .list<MutatingPolicy>('mutatingadmissionpolicies')
    .filter(({ metadata }) => bound.has(metadata.name))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** The object after these policies, and those of them that ran, whether or not they changed it. */
function runPolicies<T extends KubeObject>(
  call: Call,
  policies: readonly MutatingPolicy[],
  write: Mutated<T>,
) {
  const ran: MutatingPolicy[] = [];
  const operation = write.oldObject ? 'UPDATE' : 'CREATE';
  let { object } = write;
  for (const policy of policies) {
    const variables = (): Variables | undefined => {
      const asked = writeOf(call, operation, { ...write, object: present(call.resource, object) });
      return matches(asked, policy.spec.matchConstraints) ? variablesOf(policy, asked, null) : undefined;
    };
    const before = variables();
    const conditions = policy.spec.matchConditions ?? [];
    if (!before || conditions.some(({ expression }) => holds(expression, before) !== true)) continue;
    ran.push(policy);
    for (const { jsonPatch: patch } of policy.spec.mutations) {
      const now = variables();
      if (now) object = patched(object, policy, evaluate(patch.expression, now));
    }
  }
  return { object, ran };
}

function patched<T extends KubeObject>(
  object: T,
  { metadata, spec }: MutatingPolicy,
  patch: ReturnType<typeof evaluate>,
): T {
  try {
    if (patch.kind === 'Error') throw new Error(patch.message);
    const operations = patch.value as Parameters<typeof jsonPatch.applyPatch>[1];
    return jsonPatch.applyPatch(structuredClone(object), operations, true).newDocument;
  } catch (error) {
    if (spec.failurePolicy === 'Ignore') return object;
    throw new StatusError(422, 'Invalid', `policy '${metadata.name}' denied request: ${error}`);
  }
}

function askWebhook<T extends KubeObject>(call: Call, object: T): T {
  const { webhook } = call.backend;
  if (!webhook) return object;
  const rewritten = webhook.rewrite(structuredClone(object) as unknown as Pod) as unknown as T;
  return isDeepStrictEqual(rewritten, object) ? object : rewritten;
}
