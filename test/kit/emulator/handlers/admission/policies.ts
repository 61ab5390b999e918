import type { KubeObject } from '../../world/objects.ts';
import { present } from '../api.ts';
import { matchesLabelSelector } from '../read/selectors.ts';
import { apiVersionOf, type Resource, resources } from '../resources.ts';
import { forbidden, StatusError } from '../status.ts';
import type { Write } from './admission.ts';
import { type Violation, violationsOf } from './evaluate-policy.ts';

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

/** https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/validating-admission-policy-v1/ */
interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly scope?: '*' | 'Cluster' | 'Namespaced';
}

interface MatchResources {
  readonly resourceRules?: readonly ResourceRule[];
  readonly excludeResourceRules?: readonly ResourceRule[];
  readonly namespaceSelector?: object;
  readonly objectSelector?: object;
  readonly matchPolicy?: 'Exact' | 'Equivalent';
}

export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

interface Named {
  readonly name: string;
  readonly expression: string;
}

export interface Policy extends KubeObject {
  readonly spec: {
    readonly failurePolicy?: 'Fail' | 'Ignore';
    readonly matchConstraints?: MatchResources;
    readonly matchConditions?: readonly Named[];
    readonly variables?: readonly Named[];
    readonly validations?: readonly Validation[];
    readonly auditAnnotations?: readonly unknown[];
    readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
  };
}

interface PolicyBinding extends KubeObject {
  readonly spec: {
    readonly policyName: string;
    readonly validationActions?: readonly ('Deny' | 'Warn' | 'Audit')[];
    readonly matchResources?: MatchResources;
    readonly paramRef?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly selector?: object;
      readonly parameterNotFoundAction?: 'Allow' | 'Deny';
    };
  };
}

/**
 * The write as the policy sees it, undefined if the policy is not about it. A policy for one version of a
 * resource sees its writes through all others in that version, unless its matchPolicy is Exact.
 */
function matching(write: Write, constraints: MatchResources = {}): Write | undefined {
  if (!selects(constraints, write)) return undefined;
  const { resourceRules = [], excludeResourceRules = [], matchPolicy = 'Equivalent' } = constraints;
  const { resource } = write.call;
  const forms = matchPolicy === 'Exact' ? [resource] : [resource, ...equivalents(resource)];
  const excluded = excludeResourceRules.some((rule) => forms.some((form) => covers(rule, write, form)));
  if (excluded) return undefined;
  // A binding without rules is about everything that its policy is about.
  const form = forms.find((each) => resourceRules.some((rule) => covers(rule, write, each)));
  if (!form) return resourceRules.length === 0 ? write : undefined;
  return form === resource ? write : inForm(write, form);
}

function equivalents(resource: Resource): readonly Resource[] {
  if (resource.resource !== 'events') return [];
  return resources.filter((each) => each.resource === 'events' && each !== resource);
}

function inForm(write: Write, form: Resource): Write {
  const show = (object: KubeObject | null) => object && present(form, object);
  const { group, version, kind } = form;
  return {
    ...write,
    kind: { group, version, kind },
    object: show(write.object),
    oldObject: show(write.oldObject),
  };
}

function covers(rule: ResourceRule, { operation, call, name }: Write, resource: Resource): boolean {
  const { subresource } = call.info;
  const has = (list: readonly string[], wanted: string) => list.includes('*') || list.includes(wanted);
  const { resourceNames = [], scope = '*' } = rule;
  return (
    has(rule.operations, operation) &&
    has(rule.apiGroups, resource.group) &&
    has(rule.apiVersions, resource.version) &&
    (scope === '*' || (scope === 'Namespaced') === resource.namespaced) &&
    (resourceNames.length === 0 || resourceNames.includes(name)) &&
    rule.resources.some((each) => {
      const [of, part = ''] = each.split('/');
      return (of === '*' || of === resource.resource) && (part === '*' || part === subresource);
    })
  );
}

function selects({ namespaceSelector, objectSelector }: MatchResources, write: Write): boolean {
  const { call, object, oldObject } = write;
  const labelsOf = (of: KubeObject | null | undefined) => of?.metadata?.labels ?? {};
  const ofNamespace =
    call.resource.resource === 'namespaces'
      ? labelsOf(object ?? oldObject)
      : labelsOf(call.backend.store.get('namespaces', undefined, call.info.namespace));
  const inNamespace = call.resource.namespaced || call.resource.resource === 'namespaces';
  if (inNamespace && namespaceSelector && !matchesLabelSelector(namespaceSelector, ofNamespace)) return false;
  if (!objectSelector || Object.keys(objectSelector).length === 0) return true;
  return [object, oldObject].some(
    (each) => each?.metadata && matchesLabelSelector(objectSelector, labelsOf(each)),
  );
}
