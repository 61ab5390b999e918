import type { Answer } from '../../src/kube/client/answer.ts';
import { BodyError } from '../../src/kube/client/exchange.ts';
import type { PodReader, Transport, Write } from '../../src/kube/client/transport.ts';
import { record } from '../../src/util/json.ts';
import { asServed, inChunks } from './api-pod.ts';
import { readRecording } from './recordings.ts';

/** The server's time in `answered`, in whole seconds like a Date header. */
export const serverTime = Date.parse('2026-11-21T04:00:00Z');

/** An answer of the server; anything but text is serialised as JSON. Pods are served in protobuf (`asServed`). */
export function answered(status: number, body: unknown, retryAfter?: string): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'Answered', status, body: text, date: serverTime, retryAfter };
}

export const timedOut: Answer = { kind: 'Unanswered', problem: { kind: 'TimedOut', message: 'no answer' } };

export const forbidden = answered(403, { kind: 'Status', status: 'Failure', message: 'is forbidden' });

/** A real cluster's answer to the n-th request of a recording, with a Retry-After header. */
export function recorded(recording: string, index = 0, retryAfter?: string): Answer {
  const { status = 0, body } = readRecording(recording).exchanges?.[index] ?? {};
  return answered(status, body, retryAfter);
}

/** A real cluster's answer about a pod that does not exist, as if it had this name. */
export function notFound(name: string): Answer {
  const { status = 0, body } = readRecording('get-pod-not-found').exchanges?.[0] ?? {};
  return answered(status, { ...record(body), details: { ...record(record(body)['details']), name } });
}

export interface Asked {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Of a sweep that is not stopped. */
export const { signal: abort } = new AbortController();

/** A transport that gives these answers in order, repeating the last one, and records the requests. */
export function transportWith(...answers: readonly [Answer, ...Answer[]]): {
  readonly transport: Pick<Transport, 'get' | 'read' | 'redact'>;
  readonly asked: readonly Asked[];
} {
  const asked: Asked[] = [];
  const get: Transport['get'] = async (path, query) => {
    asked.push({ path, query });
    return answers[asked.length - 1] ?? answers[answers.length - 1] ?? answers[0];
  };
  const read = readOf((path, query) => get(path, query, abort));
  return { transport: { get, read, redact: (text) => text }, asked };
}

/** Reads pods from the answers that this gives, or from a server's own bytes. */
export function readOf(
  ask: (path: string, query: Asked['query']) => Promise<Answer<string | Uint8Array>>,
  chunk?: number,
): PodReader['read'] {
  return async function* (path, query, take) {
    const answer = await ask(path, query);
    if (answer.kind === 'Unanswered') return answer;
    const { body } = answer;
    try {
      const bytes = inChunks(typeof body === 'string' ? asServed(body) : body, chunk);
      return { ...answer, body: yield* take(bytes, answer) };
    } catch (error) {
      if (error instanceof BodyError) return { kind: 'Unanswered', problem: error.problem };
      throw error;
    }
  };
}

/** A transport that gives this answer to writes and this pod to reads, and records the writes. */
export function transportThatSends(
  answer: Answer,
  pod: Answer = answered(404, {}),
): {
  readonly transport: Transport;
  readonly sent: readonly Write[];
} {
  const sent: Write[] = [];
  const get = async () => pod;
  const send: Transport['send'] = async (write) => {
    sent.push(write);
    return answer;
  };
  const ask: Transport['ask'] = (path, body, abort) => send({ method: 'POST', path, body }, abort);
  return {
    transport: Object.assign(Object.create(null), {
      get,
      read: readOf(get),
      fresh: (read: () => unknown) => read(),
      send,
      sendSoon: send,
      ask,
      redact: (text: string) => text,
    }),
    sent,
  };
}
