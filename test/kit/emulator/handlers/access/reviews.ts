import { rfc3339, type Store } from '../../world/store.ts';
import { type Answer, json } from '../answer.ts';
import { type Call, namedObject } from '../call.ts';
import type { RequestInfo } from '../resources.ts';
import { badRequest } from '../status.ts';
import { parseJson } from '../write/body.ts';
import { authorize, grants, type PolicyRule } from './authorization.ts';
import { serviceAccountUser, type User } from './users.ts';

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

/** Answers a TokenRequest, as `kubectl create token` sends it. */
export function createToken(call: Call): Answer {
  const { backend, info, request } = call;
  namedObject(call);
  const { spec } = parseJson(request.body) as { spec?: { expirationSeconds?: number; audiences?: string[] } };
  const expirationSeconds = spec?.expirationSeconds ?? 3600;
  const expires = new Date(backend.clock.now().getTime() + expirationSeconds * 1000);
  return json(201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name: info.name, namespace: info.namespace, creationTimestamp: rfc3339(backend.clock.now()) },
    spec: {
      audiences: spec?.audiences ?? ['https://kubernetes.default.svc.cluster.local'],
      expirationSeconds,
    },
    status: {
      token: backend.tokens.issue(serviceAccountUser(info.namespace, info.name)),
      expirationTimestamp: rfc3339(expires),
    },
  });
}
