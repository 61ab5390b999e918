import type { KubeObject } from '../../world/objects.ts';
import { matchesLabelSelector } from '../read/label-selector.ts';
import { apiVersionOf, resources } from '../resources.ts';
import { forbidden, StatusError } from '../status.ts';
import type { Write } from './admission.ts';
import { type Violation, violationsOf } from './evaluate-policy.ts';
import { matching } from './match.ts';
import type { Policy, PolicyBinding } from './policy-objects.ts';

const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** Enforces the ValidatingAdmissionPolicies in the store, each through its bindings. */
export function enforcePolicies(write: Write): void {
  const { call } = write;
  // Policies cannot lock out whoever repairs them.
  if (call.resource.group === 'admissionregistration.k8s.io') return;
  const bindings = call.backend.store.list<PolicyBinding>('validatingadmissionpolicybindings');
  for (const binding of bindings) {
    const name = binding.spec.policyName;
    const policy = call.backend.store.get<Policy>('validatingadmissionpolicies', undefined, name);
    const seen = policy && matching(write, policy.spec.matchConstraints);
    if (!policy || !seen || !matching(seen, binding.spec.matchResources)) continue;
    const violations = paramsOf(policy, binding, seen).flatMap((params) =>
      params.kind === 'Missing' ? missing(policy) : violationsOf(policy, seen, params.object),
    );
    for (const violation of violations) act(write, policy, binding, violation);
  }
}

function act(write: Write, policy: Policy, binding: PolicyBinding, { message, reason }: Violation): void {
  const { validationActions = ['Deny'] } = binding.spec;
  const by = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
  if (validationActions.includes('Warn')) write.call.warn(`Validation failed for ${by}: ${message}`);
  if (!validationActions.includes('Deny')) return;
  const why = `${by} denied request: ${message}`;
  const { message: text = '', details = {} } = forbidden(write.call.resource, write.name, why).status;
  throw new StatusError(codes[reason] ?? 422, reason, text, {
    details: { ...details, causes: [{ message: why }] },
  });
}

type Params = { readonly kind: 'Missing' } | { readonly kind: 'Found'; readonly object: KubeObject | null };

const none: Params = { kind: 'Found', object: null };

/** The parameters with which the policy is evaluated, one after the other. */
function paramsOf({ spec, metadata }: Policy, binding: PolicyBinding, { call }: Write): readonly Params[] {
  const { paramKind } = spec;
  const { paramRef } = binding.spec;
  if (!paramKind || !paramRef) return [none];
  const resource = resources.find(
    (each) => each.kind === paramKind.kind && apiVersionOf(each) === paramKind.apiVersion,
  );
  if (!resource) throw new Error(`the emulator does not serve the paramKind of the policy ${metadata.name}`);
  const namespace = resource.namespaced ? (paramRef.namespace ?? call.info.namespace) : undefined;
  const found = call.backend.store
    .list(resource.resource, namespace)
    .filter(({ metadata: { name, labels = {} } }) =>
      paramRef.name === undefined ? matchesLabelSelector(paramRef.selector, labels) : name === paramRef.name,
    )
    .map((object): Params => ({ kind: 'Found', object }));
  if (found.length > 0 || paramRef.parameterNotFoundAction === 'Allow') return found;
  return [{ kind: 'Missing' }];
}

function missing({ spec }: Policy): readonly Violation[] {
  if (spec.failurePolicy === 'Ignore') return [];
  const message = 'no params found for policy binding with `Deny` parameterNotFoundAction';
  return [{ message, reason: 'Invalid' }];
}
