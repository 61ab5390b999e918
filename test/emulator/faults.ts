import type { RequestRecord } from './requests.ts';

/** What may go wrong, or happen, when a request comes in. */
export type FaultAction =
  /** Something of the test's own first, such as swapping a pod just before an exec; then it is served. */
  | { readonly kind: 'Before'; readonly run: (request: RequestRecord) => void | Promise<void> }
  | { readonly kind: 'Delay'; readonly milliseconds: number }
  /** The connection is torn down without an answer. */
  | { readonly kind: 'Drop' }
  /** The connection stays open and nothing comes. */
  | { readonly kind: 'NeverAnswer' }
  | {
      readonly kind: 'Answer';
      readonly status: number;
      readonly body?: string | object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Served, with other headers: a `Date` that is off, for instance. */
  | { readonly kind: 'Headers'; readonly headers: Readonly<Record<string, string>> }
  /** Served, but the connection breaks after so many bytes of the body. */
  | { readonly kind: 'CutBody'; readonly bytes: number }
  /** Instead of the exec or port-forward: a WebSocket that says just this. */
  | {
      readonly kind: 'Frames';
      /** The first one the client offers, unless given. */
      readonly protocol?: string;
      readonly frames: readonly OddFrame[];
      readonly end: SocketEnd;
    };

/** A message as it is: for a binary one, the first byte is the channel. */
type OddFrame = string | Uint8Array;

type SocketEnd =
  | { readonly kind: 'Close'; readonly code?: number }
  | { readonly kind: 'Terminate' }
  | { readonly kind: 'StayOpen' };

/** Which requests; what is left out is not looked at. */
export interface RequestMatch {
  readonly verb?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly method?: string;
  readonly when?: (request: RequestRecord) => boolean;
}

interface Fault {
  readonly match: RequestMatch;
  readonly action: FaultAction;
  skip: number;
  times: number;
}

/** The script of a test: what is to happen to which requests. */
export class Faults {
  readonly #faults = new Set<Fault>();

  /** From now on, or for the next `times` matching requests after the first `skip`. Returns the way to stop. */
  add(match: RequestMatch, action: FaultAction, options: { times?: number; skip?: number } = {}): () => void {
    const fault = {
      match,
      action,
      times: options.times ?? Number.POSITIVE_INFINITY,
      skip: options.skip ?? 0,
    };
    this.#faults.add(fault);
    return () => this.#faults.delete(fault);
  }

  clear(): void {
    this.#faults.clear();
  }

  /** The actions for a request, in the order they were scripted; each counts as used. */
  take(request: RequestRecord): readonly FaultAction[] {
    const due: FaultAction[] = [];
    for (const fault of this.#faults) {
      if (!matches(fault.match, request)) continue;
      if (fault.skip > 0) {
        fault.skip--;
        continue;
      }
      due.push(fault.action);
      fault.times--;
      if (fault.times <= 0) this.#faults.delete(fault);
    }
    return due;
  }
}

function matches({ when, ...wanted }: RequestMatch, request: RequestRecord): boolean {
  const fields = Object.entries(wanted) as [keyof typeof wanted, string][];
  return fields.every(([field, value]) => request[field] === value) && (when?.(request) ?? true);
}
