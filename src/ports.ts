/** What effects look like: everything the pipeline needs of the world outside comes through these. */
import type {
  HttpRequest,
  JobView,
  MalformedPod,
  Millis,
  Owner,
  PodName,
  PodReading,
  PodRef,
  PodView,
  Problem,
  Scope,
  SweepEvent,
} from './vocabulary.ts';

/** A cluster that can be read and acted on. Nothing here throws for what clusters do every day. */
export interface Cluster {
  /** The pods of the scope that could be stuck, page by page; ends after a part that failed. */
  listPods(scope: Scope, signal: AbortSignal): AsyncIterable<ListPart>;
  /** Without a uid whatever pod has the name. */
  readPod(ref: PodName & { readonly uid?: string }, signal: AbortSignal): Promise<PodReading>;
  /** The Job that owns a pod; another one of that name is not it. */
  readJob(namespace: string, owner: Owner, signal: AbortSignal): Promise<JobReading>;
  /** The pods of Jobs that have failed, in all namespaces if none is named; as many as can be had. */
  listFailedPods(namespaces: readonly string[], signal: AbortSignal): Promise<readonly PodView[]>;
  /** Whether we may; Unknown when the server does not say. */
  mayI(access: Access, signal: AbortSignal): Promise<Allowed>;
  readNode(name: string, signal: AbortSignal): Promise<NodeReading>;
  exec(ref: PodRef, container: string, command: readonly string[], signal: AbortSignal): Promise<ExecResult>;
  /** An HTTP request through port-forward, which reaches what listens on the pod's loopback alone. */
  request(ref: PodRef, request: HttpRequest, signal: AbortSignal): Promise<HttpResult>;
  /** Replaces the images of containers, if the pod and the containers are still those. */
  swapImages(ref: PodRef, swaps: readonly ImageSwap[], signal: AbortSignal): Promise<WriteResult>;
  /** Starts a container in the pod that joins the PID namespace of another, with that one's security context. */
  addEphemeralContainer(
    ref: PodRef,
    container: EphemeralContainer,
    signal: AbortSignal,
  ): Promise<WriteResult>;
  setDeadline(ref: PodRef, signal: AbortSignal): Promise<WriteResult>;
  evict(ref: PodRef, signal: AbortSignal): Promise<WriteResult>;
  deletePod(ref: PodRef, signal: AbortSignal): Promise<WriteResult>;
}

export interface ImageSwap {
  readonly container: string;
  readonly image: string;
}

export interface EphemeralContainer {
  readonly target: string;
  readonly image: string;
  readonly command: readonly string[];
}

/** What the API server says of a question about permissions. */
export type Allowed = 'Yes' | 'No' | 'Unknown';

/** One thing that a permission is needed for. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Left out: in all namespaces. */
  readonly namespace?: string;
}

export type ListPart =
  | {
      readonly kind: 'Page';
      readonly pods: readonly PodView[];
      readonly malformed: readonly MalformedPod[];
      /** The server's clock when it answered. */
      readonly asOf: Millis;
    }
  /** The rest of the list shows a later state than its beginning. */
  | { readonly kind: 'Inconsistent' }
  | { readonly kind: 'Failed'; readonly namespace: string | undefined; readonly problem: Problem };

export type JobReading =
  | { readonly kind: 'Present'; readonly job: JobView }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export type NodeReading =
  | { readonly kind: 'Ready' }
  /** By its own Ready condition, or because its object is gone; nothing reaches its containers. */
  | { readonly kind: 'NotReady'; readonly reason: string }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

/** What the exec connection told. Whether the container ended is not among it: only a read of the pod shows that. */
export type ExecResult =
  | { readonly kind: 'Exited'; readonly exitCode: number; readonly output: string }
  /** The runtime found no such program in the image. */
  | { readonly kind: 'NoSuchProgram'; readonly message: string }
  /** The pod, its node or the container was not there to exec into. */
  | { readonly kind: 'NotThere'; readonly message: string }
  | { readonly kind: 'Refused'; readonly message: string }
  /** Known not to have arrived. */
  | { readonly kind: 'Undelivered'; readonly message: string }
  /** It may have arrived; the connection ended or went silent before it told. */
  | { readonly kind: 'Unconfirmed'; readonly message: string };

/** What became of an HTTP request to a port of a pod's loopback. */
export type HttpResult =
  | { readonly kind: 'Answered'; readonly status: number }
  /** The request was sent, and the other side closed without an answer: what quits may well do so. */
  | { readonly kind: 'Closed' }
  | { readonly kind: 'NotListening'; readonly message: string }
  | Extract<ExecResult, { kind: 'NotThere' | 'Refused' | 'Undelivered' | 'Unconfirmed' }>;

/** What became of a write. */
export type WriteResult =
  | { readonly kind: 'Written' }
  /** It is not, or not any more, what the write was for. */
  | { readonly kind: 'Conflict'; readonly message: string }
  | { readonly kind: 'Refused'; readonly message: string }
  /** The API server does not do it, or not so. */
  | { readonly kind: 'Rejected'; readonly message: string }
  | { readonly kind: 'Busy'; readonly message: string; readonly retryAfter: Millis | undefined }
  | { readonly kind: 'Undelivered'; readonly message: string }
  | { readonly kind: 'Unconfirmed'; readonly message: string };

/** The Lease that keeps two sweeps of a cluster apart. */
export interface Leases {
  createLease(
    ref: LeaseRef,
    lease: Pick<Lease, 'holder' | 'duration'>,
    signal: AbortSignal,
  ): Promise<LeaseWrite>;
  readLease(ref: LeaseRef, signal: AbortSignal): Promise<LeaseReading>;
  updateLease(ref: LeaseRef, lease: Lease, signal: AbortSignal): Promise<LeaseWrite>;
}

export interface LeaseRef {
  readonly namespace: string;
  readonly name: string;
}

export interface Lease {
  /** Empty when nobody has it. */
  readonly holder: string;
  readonly duration: Millis;
  /** By the server's clock; NaN when it cannot be read. */
  readonly renewedAt: Millis;
  readonly resourceVersion: string;
}

export type LeaseReading =
  | { readonly kind: 'Present'; readonly lease: Lease; readonly asOf: Millis }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export type LeaseWrite =
  | { readonly kind: 'Written'; readonly lease: Lease }
  /** Somebody else has created or written it. */
  | { readonly kind: 'Conflict' }
  | { readonly kind: 'Failed'; readonly problem: Problem };

/** Kubernetes Events. */
export interface Events {
  /** The problem, if it was not written. */
  createEvent(event: PodEvent, signal: AbortSignal): Promise<Problem | undefined>;
}

export interface PodEvent {
  readonly pod: PodRef;
  readonly reason: string;
  readonly type: 'Normal' | 'Warning';
  readonly note: string;
  /** Who says so. */
  readonly reporter: string;
  readonly at: Millis;
}

/** Time. `now` only ever measures distances: ages are judged by the server's clock. */
export interface Clock {
  now(): Millis;
  /** Resolves after the time, or at once when the signal aborts. */
  sleep(time: Millis, signal: AbortSignal): Promise<void>;
}

/** Runs work when one of a bounded number of slots is free. Work that waits for a cluster to change holds none. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

export type Emit = (event: SweepEvent) => void;
