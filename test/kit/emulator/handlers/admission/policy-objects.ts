import type { KubeObject } from '../../world/objects.ts';

/** https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/validating-admission-policy-v1/ */
export interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly scope?: '*' | 'Cluster' | 'Namespaced';
}

export interface MatchResources {
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
