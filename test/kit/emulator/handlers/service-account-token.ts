import { rfc3339 } from '../world/store.ts';
import { serviceAccountUser } from './access/users.ts';
import { type Answer, json } from './answer.ts';
import { type Call, namedObject } from './call.ts';
import { parseJson } from './write/body.ts';

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
