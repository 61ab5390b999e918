import type { Answer, Transport, Write } from '../../src/kube/transport.ts';

/** When the server of `answered` says it is, to the second as its Date header. */
export const serverTime = Date.parse('2026-11-21T04:00:00Z');

/** An answer of the server; anything but text is written as JSON. */
export function answered(status: number, body: unknown, retryAfter?: string): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'Answered', status, body: text, date: serverTime, retryAfter };
}

export interface Asked {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** A transport that gives these answers one after the other, the last one for ever, and keeps what was asked. */
export function transportWith(...answers: readonly [Answer, ...Answer[]]): {
  readonly transport: Pick<Transport, 'get'>;
  readonly asked: readonly Asked[];
} {
  const asked: Asked[] = [];
  const get: Transport['get'] = async (path, query) => {
    asked.push({ path, query });
    return answers[asked.length - 1] ?? answers[answers.length - 1] ?? answers[0];
  };
  return { transport: { get }, asked };
}

/**
 * A transport that answers a write with this, and a read that has to come before it with that; it keeps what was
 * sent.
 */
export function transportThatSends(
  answer: Answer,
  pod: Answer = answered(404, {}),
): {
  readonly transport: Transport;
  readonly sent: readonly Write[];
} {
  const sent: Write[] = [];
  const get: Transport['get'] = async () => pod;
  const send: Transport['send'] = async (write) => {
    sent.push(write);
    return answer;
  };
  return { transport: Object.assign(Object.create(null), { get, send }), sent };
}
