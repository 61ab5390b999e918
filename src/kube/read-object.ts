import type { Millis } from '../duration.ts';
import type { Problem } from '../vocabulary.ts';
import { refusal } from './http/answer.ts';
import type { Transport } from './http/transport.ts';
import { parseJson } from './json.ts';

type ObjectReading =
  | { readonly kind: 'Present'; readonly body: unknown; readonly asOf: Millis | undefined }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

/** Reads one object of the API. Its caller checks what it is: gateways answer with HTTP 200, too. */
export async function readObject(
  transport: Pick<Transport, 'get'>,
  path: string,
  abort: AbortSignal,
): Promise<ObjectReading> {
  const answer = await transport.get(path, {}, abort);
  if (answer.kind === 'Answered' && answer.status === 200) {
    return { kind: 'Present', body: parseJson(answer.body), asOf: answer.date };
  }
  const problem = refusal(answer);
  return problem.kind === 'NotFound' ? { kind: 'Gone' } : { kind: 'Unreadable', problem };
}
