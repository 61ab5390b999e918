import type { Millis } from '../util/time.ts';

/** Requests to a container through the API server, and the answers. */

export interface HttpRequest {
  readonly method: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The status codes that mean success; empty means any 2xx. */
  readonly statuses: readonly number[];
}

/** The result of an exec. Only a read of the pod shows whether the container ended. */
export type ExecResult =
  | {
      readonly kind: 'Exited';
      readonly exitCode: number;
      /** The end of what it printed, each line printable. */
      readonly output: string;
    }
  /** The runtime found no such program in the image. */
  | { readonly kind: 'NoSuchProgram'; readonly message: string }
  /** The pod, its node or the container is gone or not running. */
  | { readonly kind: 'NotThere'; readonly message: string }
  | { readonly kind: 'Refused'; readonly message: string }
  | { readonly kind: 'Busy'; readonly message: string; readonly retryAfter: Millis | undefined }
  /** The command is known not to have arrived. */
  | ({ readonly kind: 'Undelivered' } & Unanswered & NotUpgraded)
  /** The command may have arrived: the connection ended or went silent before the result came. */
  | ({ readonly kind: 'Unconfirmed' } & Unanswered & Unopened);

interface Unopened {
  /** It broke off before it was upgraded, or a gateway refused it: most likely, nothing was run. */
  readonly unopened?: true;
}

interface Unanswered {
  readonly message: string;
  /** No answer came in time, or the API server says that it cannot reach the kubelet. */
  readonly silentNode?: true;
}

interface NotUpgraded {
  /** The server that answered does not upgrade connections, such as a proxy without WebSockets. */
  readonly noUpgrade?: true;
}

/** The result of an HTTP request to a port on a pod's loopback. */
export type HttpResult =
  | { readonly kind: 'Answered'; readonly status: number }
  /** The peer closed the connection without an answer, as a process that quits may do. */
  | { readonly kind: 'Closed' }
  /** Nothing listens there, or nothing that speaks HTTP. */
  | { readonly kind: 'NotListening'; readonly message: string }
  | Extract<ExecResult, { kind: 'NotThere' | 'Refused' | 'Busy' | 'Undelivered' | 'Unconfirmed' }>;
