import type { KubeObject } from '../../world/objects.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import { enforcePolicies } from './policies.ts';
import { writeOf } from './requests.ts';

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
    enforcePolicies({ ...write, kind: { group: '', version: 'v1', kind }, object });
    return connect(call);
  };
}

function isSet(query: URLSearchParams, name: string): boolean {
  return ['1', 'true'].includes(query.get(name) ?? '');
}
