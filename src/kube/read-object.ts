import type { Problem } from '../model/reading.ts';
import type { Millis } from '../util/time.ts';
import { refusal } from './http/answer.ts';
import type { Transport } from './http/transport.ts';
import { type Json, parseJson, record } from './json.ts';

type ObjectReading<Body> =
  | { readonly kind: 'Present'; readonly body: Body; readonly asOf: Millis | undefined }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

/** Reads one object of the API. Its caller checks what it is: gateways answer with HTTP 200, too. */
export async function readObject(
  transport: Pick<Transport, 'get'>,
  path: string,
  abort: AbortSignal,
  name?: string,
): Promise<ObjectReading<unknown>> {
  const answer = await transport.get(path, {}, abort);
  if (answer.kind === 'Answered' && answer.status === 200) {
    return { kind: 'Present', body: parseJson(answer.body), asOf: answer.date };
  }
  const problem = refusal(answer, name);
  return problem.kind === 'NotFound' ? { kind: 'Gone' } : { kind: 'Unreadable', problem };
}

/** Reads the object of a kind and a name. A proxy or a cache may answer with another one, which would speak for the wrong one. */
export async function readNamed(
  transport: Pick<Transport, 'get'>,
  { path, kind, name }: { readonly path: string; readonly kind: string; readonly name: string },
  abort: AbortSignal,
): Promise<ObjectReading<Json>> {
  const reading = await readObject(transport, path, abort, name);
  if (reading.kind !== 'Present') return reading;
  const body = record(reading.body);
  const { name: given = name } = record(body['metadata']);
  if (body['kind'] === kind && given === name) return { ...reading, body };
  const message = body['kind'] === kind ? `another ${kind}` : `not a ${kind}`;
  return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
}
