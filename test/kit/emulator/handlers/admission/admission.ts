import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, Pod } from '../../world/objects.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../api.ts';
import { StatusError } from '../status.ts';
import { enforcePodSecurity } from './pod-security.ts';
import { enforcePolicies } from './policies.ts';

type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A write as admission sees it: the request, and what it is about to do. */
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

/** The write of an object of the request's own kind. */
export function writeOf(
  call: Call,
  operation: Operation,
  { object = null, oldObject = null, dryRun }: Partial<Write> & { readonly dryRun: boolean },
): Write {
  const { group, version, kind } = call.resource;
  const name = (object ?? oldObject)?.metadata.name ?? call.info.name;
  return { call, operation, kind: { group, version, kind }, name, object, oldObject, dryRun };
}

/** Validating admission, in the server's order, after validation and before the store. Refuses by throwing. */
export function admit(write: Write): void {
  enforcePodSecurity(write);
  enforcePolicies(write);
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

/** What a webhook sees of a write to a pod. */
export interface PodReview {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly pod: Pod;
  /** Undefined in a creation. */
  readonly oldPod: Pod | undefined;
  readonly username: string;
  readonly dryRun: boolean;
}

type PodVerdict =
  | { readonly kind: 'Allow' }
  | { readonly kind: 'Rewrite'; readonly pod: Pod }
  | { readonly kind: 'Refuse'; readonly message: string };

/** A mutating webhook for pods, for example one that sets every image to a mirror of its registry. */
export interface PodWebhook {
  readonly name: string;
  readonly review: (review: PodReview) => PodVerdict;
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
