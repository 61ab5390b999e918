import type { KubeObject } from '../../world/objects.ts';
import type { Call } from '../call.ts';
import { matchesLabelSelector } from '../read/selectors.ts';

type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface Write {
  readonly call: Call;
  readonly operation: Operation;
  /** The kind that the request's body has: the resource's own, or its subresource's. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly name: string;
  /** Null in a deletion. */
  readonly object: KubeObject | null;
  /** Null in a creation and in a connection. */
  readonly oldObject: KubeObject | null;
  readonly dryRun: boolean;
}

export function writeOf(
  call: Call,
  operation: Operation,
  { object = null, oldObject = null, dryRun }: Partial<Write> & { readonly dryRun: boolean },
): Write {
  const { group, version, kind } = call.resource;
  const name = (object ?? oldObject)?.metadata.name ?? call.info.name;
  return { call, operation, kind: { group, version, kind }, name, object, oldObject, dryRun };
}

/** The CEL variable `request`: an AdmissionRequest without its objects. Empty fields are absent. */
export function admissionRequest({ call, operation, kind, name, dryRun }: Write): object {
  const { info, resource, user } = call;
  const { group, version } = resource;
  const its = { group, version, resource: resource.resource };
  const subResource = info.subresource || undefined;
  return {
    kind,
    resource: its,
    subResource,
    requestKind: kind,
    requestResource: its,
    requestSubResource: subResource,
    name: name || undefined,
    namespace: (resource.resource === 'namespaces' ? name : info.namespace) || undefined,
    operation,
    userInfo: { username: user.username, groups: user.groups },
    dryRun,
  };
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
  readonly namespaceSelector?: object;
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
    readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
  };
}

export interface PolicyBinding extends KubeObject {
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

/** Whether a policy or a binding, which may have no rules, is about a write. */
export function matches(write: Write, constraints: MatchResources = {}): boolean {
  const { resourceRules = [] } = constraints;
  const isCovered = resourceRules.length === 0 || resourceRules.some((rule) => covers(rule, write));
  return isCovered && selects(constraints, write);
}

function covers(rule: ResourceRule, { operation, call, name }: Write): boolean {
  const { resource, info } = call;
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
      return (of === '*' || of === resource.resource) && (part === '*' || part === info.subresource);
    })
  );
}

function selects({ namespaceSelector }: MatchResources, { call, object, oldObject }: Write): boolean {
  const { resource, info, backend } = call;
  const isNamespace = resource.resource === 'namespaces';
  if (!namespaceSelector || !(resource.namespaced || isNamespace)) return true;
  const namespace = isNamespace
    ? (object ?? oldObject)
    : backend.store.get('namespaces', undefined, info.namespace);
  return matchesLabelSelector(namespaceSelector, namespace?.metadata.labels ?? {});
}
