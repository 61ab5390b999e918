import type { Owner } from '../model/pod.ts';
import type { LimitRaise, WriteResult } from '../model/ports.ts';
import type { Transport } from './http/transport.ts';
import { jobPath } from './paths.ts';
import { concludeWrite } from './write.ts';

/** A Job's backoffLimit may be changed at any time (recorded: image-swap-onfailure-backoff-raised). */
export async function raiseBackoffLimit(
  transport: Pick<Transport, 'send'>,
  namespace: string,
  { name, uid }: Owner,
  { from, to }: LimitRaise,
  abort: AbortSignal,
): Promise<WriteResult> {
  const body = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/spec/backoffLimit', value: from },
    { op: 'replace', path: '/spec/backoffLimit', value: to },
  ];
  const contentType = 'application/json-patch+json';
  const path = jobPath(namespace, name);
  return concludeWrite(await transport.send({ method: 'PATCH', path, body, contentType }, abort), 'Job');
}
