import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, Pod } from '../../world/objects.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import { StatusError } from '../status.ts';
import { enforcePodSecurity } from './pod-security.ts';
import { enforcePolicies } from './policies.ts';
import { type Write, writeOf } from './requests.ts';

/** Validating admission, in the server's order, after validation and before the store. Refuses by throwing. */
export function admit(write: Write): void {
  enforcePodSecurity(write);
  enforcePolicies(write);
}

/** Admits an exec or a port-forward as the operation CONNECT, whose object is the options in its query. */
export function admitted(connect: (call: Call) => Answer): (call: Call) => Answer {
  return (call) => {
    const { info, resource, request } = call;
    const kind = resource.subresources.find(({ name }) => name === info.subresource)?.kind ?? '';
    const { query } = request;
    const options = {
      kind,
      apiVersion: 'v1',
      ...Object.fromEntries(['stdin', 'stdout', 'stderr', 'tty'].map((name) => [name, isSet(query, name)])),
      ...(query.has('container') ? { container: query.get('container') } : {}),
      ...(query.has('command') ? { command: query.getAll('command') } : {}),
      ...(query.has('ports') ? { ports: query.getAll('ports').map(Number) } : {}),
    };
    const object = options as unknown as KubeObject;
    const write = writeOf(call, 'CONNECT', { dryRun: false });
    admit({ ...write, kind: { group: '', version: 'v1', kind }, object });
    return connect(call);
  };
}

function isSet(query: URLSearchParams, name: string): boolean {
  return ['1', 'true'].includes(query.get(name) ?? '');
}

/** The object that the webhook makes of this one. Webhooks come before validation. */
export function mutate<T extends KubeObject>(
  call: Call,
  { object, oldObject, dryRun }: { readonly object: T; readonly oldObject?: T; readonly dryRun: boolean },
): T {
  const { webhook } = call.backend;
  if (!webhook || call.resource.resource !== 'pods' || call.info.subresource !== '') return object;
  const verdict = webhook.review({
    operation: oldObject ? 'UPDATE' : 'CREATE',
    pod: structuredClone(object) as unknown as Pod,
    oldPod: oldObject as Pod | undefined,
    username: call.user.username,
    dryRun,
  });
  switch (verdict.kind) {
    case 'Allow':
      return object;
    case 'Rewrite':
      return isDeepStrictEqual(verdict.pod, object) ? object : (verdict.pod as unknown as T);
    case 'Refuse':
      throw new StatusError(
        403,
        'Forbidden',
        `admission webhook "${webhook.name}" denied the request: ${verdict.message}`,
      );
  }
}
