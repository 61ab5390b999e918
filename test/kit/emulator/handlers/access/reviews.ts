import type { Store } from '../../world/store.ts';
import { type Answer, json } from '../answer.ts';
import type { RequestInfo } from '../request-info.ts';
import { badRequest } from '../status.ts';
import { authorize, grants, type PolicyRule } from './authorization.ts';
import type { User } from './users.ts';

interface ReviewSpec {
  readonly resourceAttributes?: Readonly<Record<string, string>>;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly namespace?: string;
  readonly user?: string;
  readonly groups?: readonly string[];
}

/** The reviews of authorization.k8s.io: "can I", "can they", "what can I do". */
export function review(store: Store, user: User, kind: string, spec: ReviewSpec): Answer {
  return json(201, {
    kind,
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec,
    status: statusOf(store, user, kind, spec),
  });
}

/** Answers `kubectl auth whoami`. */
export function whoAmI({ username, groups }: User): Answer {
  return json(201, {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {},
    status: { userInfo: { username, groups } },
  });
}

function statusOf(store: Store, user: User, kind: string, spec: ReviewSpec): object {
  if (kind === 'SelfSubjectRulesReview') return rulesOf(store, user, spec.namespace ?? '');
  const asked = attributesOf(spec);
  if (kind === 'SelfSubjectAccessReview') return authorize(store, user, asked);
  return authorize(store, { username: spec.user ?? '', groups: spec.groups ?? [] }, asked);
}

function attributesOf({ resourceAttributes, nonResourceAttributes }: ReviewSpec): RequestInfo {
  if (nonResourceAttributes) {
    const { path = '', verb = '' } = nonResourceAttributes;
    return { kind: 'NonResource', verb, path };
  }
  if (!resourceAttributes) {
    throw badRequest('spec must have exactly one of resourceAttributes or nonResourceAttributes');
  }
  const {
    verb = '',
    group = '',
    version = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
  } = resourceAttributes;
  return { kind: 'Resource', verb, group, version, resource, subresource, namespace, name };
}

function rulesOf(store: Store, user: User, namespace: string): object {
  const rules = [...grants(store, user, namespace)].map(({ rule }) => rule);
  const isNonResource = ({ nonResourceURLs = [] }: PolicyRule) => nonResourceURLs.length > 0;
  return {
    resourceRules: rules.filter((rule) => !isNonResource(rule)),
    nonResourceRules: rules.filter(isNonResource),
    incomplete: false,
  };
}
