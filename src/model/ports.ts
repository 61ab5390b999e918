import type { Millis } from '../util/time.ts';
import type { ListedJob } from './job.ts';
import type { MalformedPod, Owner, PodName, PodRef, PodView } from './pod.ts';
import type {
  JobReading,
  Listed,
  ListReading,
  NamespaceReading,
  NodeReading,
  ObjectPage,
  PageToken,
  PodReading,
  Problem,
  Unreadable,
} from './reading.ts';
import type { Scope } from './scope.ts';
import type { Warning } from './warning.ts';

/** The ports of the pipeline: everything it needs from the outside world comes through these interfaces. */

/** Leases, one of which keeps two sweeps of a cluster from running at once. */
export interface Leases {
  createLease(
    ref: LeaseRef,
    lease: Pick<Lease, 'holder' | 'duration' | 'shards'>,
    abort: AbortSignal,
  ): Promise<LeaseWrite>;
  readLease(ref: LeaseRef, abort: AbortSignal): Promise<LeaseReading>;
  updateLease(ref: LeaseRef, lease: Lease, abort: AbortSignal): Promise<LeaseWrite>;
}

export interface LeaseRef {
  readonly namespace: string;
  readonly name: string;
}

/** The holder of a whole lease is empty if it is free. */
export interface Lease extends LeaseHold {
  readonly duration: Millis;
  readonly resourceVersion: string;
  /** The holds of shards, by their index; missing if a whole sweep holds the lease. */
  readonly shards?: Readonly<Record<string, LeaseHold>>;
}

export interface LeaseHold {
  readonly holder: string;
  /** By the server's clock; undefined if missing. */
  readonly renewedAt: Millis | undefined;
}

export type LeaseReading =
  | { readonly kind: 'Present'; readonly lease: Lease; readonly asOf: Millis | undefined }
  | Unreadable;

export type LeaseWrite =
  | { readonly kind: 'Written'; readonly lease: Lease }
  /** Another process has created or updated it. */
  | { readonly kind: 'Conflict' }
  | { readonly kind: 'Failed'; readonly problem: Problem };

/** What is known of a connection before anything is read. */
export interface Connected {
  readonly context: string;
  readonly server: string;
  readonly warnings: readonly Warning[];
}

/** A short text that outlives a sweep, for the next one to read. */
export interface Notebook {
  /** Undefined if there is none yet, or it cannot be read. */
  read(abort: AbortSignal): Promise<{ readonly text: string; readonly version: string } | undefined>;
  /** Replaces the text that was read, or begins one; a Conflict if another client has written in between. */
  write(
    text: string,
    version: string | undefined,
    abort: AbortSignal,
  ): Promise<'Written' | 'Conflict' | 'Failed'>;
}

/** A cluster that can be read and changed. Expected failures are returned, never thrown. */
export interface Cluster {
  /** The pods of `listPods`, perhaps as they were some seconds ago: to find out where to look, and no proof of anything. */
  findPods(scope: Scope, abort: AbortSignal): AsyncIterable<ListPart>;
  /** The pods of the scope that could be stuck, page by page; a failure ends the list of its namespace. */
  listPods(scope: Scope, abort: AbortSignal, isWanted?: (pod: PodRef) => boolean): AsyncIterable<ListPart>;
  /** Without a uid, reads any pod of that name. */
  readPod(ref: PodName & { readonly uid?: string }, abort: AbortSignal): Promise<PodReading>;
  /** The Job that owns a pod; it is Gone if a Job with another uid has its name. */
  readJob(namespace: string, owner: Owner, abort: AbortSignal): Promise<JobReading>;
  /** A page of the Jobs of a namespace, those that have ended as well. */
  listJobs(namespace: string, token: string | undefined, abort: AbortSignal): Promise<ObjectPage<ListedJob>>;
  /** The pods of a Job that have not ended. */
  listJobPods(namespace: string, owner: Owner, abort: AbortSignal): Promise<ListReading<PodView>>;
  /** The failed pods of the Jobs of a namespace. */
  listFailedPods(namespace: string, abort: AbortSignal): Promise<ListReading<PodView>>;
  /** Whether the account has a permission; Unknown if the server gives no answer. */
  mayI(permission: Permission, abort: AbortSignal): Promise<Access>;
  readNode(name: string, abort: AbortSignal): Promise<NodeReading>;
  readNamespace(name: string, abort: AbortSignal): Promise<NamespaceReading>;
  /** A page of the namespaces, or of those with these labels. */
  listNamespaces(
    selector: string | undefined,
    token: PageToken,
    abort: AbortSignal,
  ): Promise<ObjectPage<Listed<NamespaceReading>>>;
  listNodes(token: PageToken, abort: AbortSignal): Promise<ObjectPage<Listed<NodeReading>>>;
  /** The last lines of a container's log, each printable. */
  readLog(ref: PodName, container: string, lines: number, abort: AbortSignal): Promise<LogReading>;
  exec(ref: PodRef, container: string, command: readonly string[], abort: AbortSignal): Promise<ExecResult>;
  /** An HTTP request through port-forward, which also reaches ports that listen on loopback only. */
  request(ref: PodRef, request: HttpRequest, abort: AbortSignal): Promise<HttpResult>;
  /** Replaces the images of containers; a Conflict if the pod or its list of containers has changed. */
  swapImages(
    ref: PodRef,
    swaps: readonly ImageSwap[],
    options: WriteOptions,
    abort: AbortSignal,
  ): Promise<WriteResult>;
  /** Adds a container that joins the PID namespace of its target, with the target's security context. */
  addEphemeralContainer(
    ref: PodRef,
    container: EphemeralContainer,
    abort: AbortSignal,
    isStill?: IsStill,
  ): Promise<WriteResult>;
  /** Sets an `activeDeadlineSeconds` that has already passed, so that the kubelet ends the pod. */
  setDeadline(ref: PodRef, abort: AbortSignal): Promise<WriteResult>;
  evict(ref: PodRef, abort: AbortSignal): Promise<WriteResult>;
  deletePod(ref: PodRef, abort: AbortSignal): Promise<WriteResult>;
  /** Changes the backoffLimit of a Job; a Conflict if it is another Job, or has another limit by now. */
  raiseBackoffLimit(
    namespace: string,
    owner: Owner,
    raise: LimitRaise,
    abort: AbortSignal,
  ): Promise<WriteResult>;
}

export interface LimitRaise {
  readonly from: number;
  readonly to: number;
}

export interface ImageSwap {
  readonly container: string;
  readonly image: string;
}

interface WriteOptions {
  /** The API server admits and answers the request, and changes nothing. */
  readonly dryRun: boolean;
  readonly isStill?: IsStill;
}

/** Asked about the pod as it is read for the write; if not, the write is a Conflict. Without it, the uid decides alone. */
export type IsStill = (pod: PodView) => boolean;

interface EphemeralContainer {
  readonly target: string;
  readonly image: string;
  readonly command: readonly string[];
}

export type Access = { readonly kind: 'Allowed' } | { readonly kind: 'Denied' } | Unreadable;

/** One verb on one resource. */
export interface Permission {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Undefined means all namespaces. */
  readonly namespace?: string;
  /** Undefined means every object. */
  readonly name?: string;
}

export type ListPart =
  | {
      readonly kind: 'Page';
      readonly pods: readonly PodView[];
      readonly malformed: readonly MalformedPod[];
      /** Pods found of which no container has ended, so that none can be stuck; little else of them was read. */
      readonly atWork: readonly PodRef[];
      /** The server's time when it answered; undefined if the answer has no Date header. */
      readonly asOf: Millis | undefined;
    }
  /** The rest of the list shows a later state than its beginning. */
  | { readonly kind: 'Inconsistent' }
  | {
      readonly kind: 'Failed';
      readonly namespace: string | undefined;
      readonly problem: Problem;
      /** If it is a single pod that was named. */
      readonly what?: 'Pod';
    };

export type LogReading = { readonly kind: 'Read'; readonly lines: readonly string[] } | Unreadable;

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
  | RequestFailure;

/** Why a request to a container has no result. */
export type RequestFailure =
  /** The pod, its node or the container is gone or not running. */
  | { readonly kind: 'NotThere'; readonly message: string }
  | { readonly kind: 'Refused'; readonly message: string }
  | { readonly kind: 'Busy'; readonly message: string; readonly retryAfterMs?: Millis | undefined }
  /** The command is known not to have arrived. */
  | (Unanswered & {
      readonly kind: 'Undelivered';
      /** The server that answered, such as a proxy without WebSockets, does not upgrade connections. */
      readonly noUpgrade?: true;
    })
  /** The command may have arrived: the connection ended or went silent before the result came. */
  | (Unanswered & {
      readonly kind: 'Unconfirmed';
      /** The connection broke before it was upgraded, or a gateway refused it: most likely, nothing was run. */
      readonly unopened?: true;
    });

interface Unanswered {
  readonly message: string;
  /** No answer came in time, or the API server says that it cannot reach the kubelet. */
  readonly silentNode?: true;
}

/** The result of an HTTP request to a port on a pod's loopback. */
export type HttpResult =
  | { readonly kind: 'Answered'; readonly status: number }
  /** The peer closed the connection without an answer, as a process that quits may do. */
  | { readonly kind: 'Closed' }
  /** Nothing listens there, or nothing that speaks HTTP. */
  | { readonly kind: 'NotListening'; readonly message: string }
  | RequestFailure;

export type WriteResult =
  | {
      readonly kind: 'Written';
      /** For a swap, the images of the containers according to the server's answer; missing if the answer cannot be read. */
      readonly images?: Readonly<Record<string, string>>;
    }
  /** The object is gone or has changed. */
  | { readonly kind: 'Conflict'; readonly message: string }
  /** The API server does not support the write, or finds it invalid. */
  | { readonly kind: 'Rejected'; readonly message: string }
  | Extract<RequestFailure, { kind: 'Refused' | 'Busy' }>
  | { readonly kind: 'Undelivered' | 'Unconfirmed'; readonly message: string };

export interface Events {
  /** Returns the problem if the event was not written. */
  createEvent(event: PodEvent, abort: AbortSignal): Promise<Problem | undefined>;
}

export interface PodEvent {
  /** The object that the Event is about. */
  readonly regarding: PodRef & { readonly kind: 'Pod' | 'Job' };
  readonly reason: string;
  readonly type: 'Normal' | 'Warning';
  readonly note: string;
  /** The `reportingInstance`. */
  readonly reporter: string;
  readonly at: Millis;
}

/** The port of advice: what pods are made from, and which versions run. It changes nothing. */
export interface Origins {
  /** The template of a Job or a CronJob; it is Gone if an object with another uid than this one has its name. */
  readTemplate(
    namespace: string,
    owner: Pick<Owner, 'kind' | 'name' | 'uid'>,
    abort: AbortSignal,
  ): Promise<TemplateReading>;
  /** The version of the API server, such as `v1.31.2`; undefined if it cannot be read. */
  readVersion(abort: AbortSignal): Promise<string | undefined>;
  listKubelets(abort: AbortSignal): Promise<ListReading<Kubelet>>;
}

export type TemplateReading =
  | { readonly kind: 'Present'; readonly template: TemplateView }
  | { readonly kind: 'Gone' }
  | Unreadable;

/** A pod template, and the object that has it. */
export interface TemplateView {
  /** Of the object. */
  readonly uid: string;
  /** The controller of the object: for a Job, it may be a CronJob. */
  readonly owner: Owner | undefined;
  readonly generation: number | undefined;
  /** Names of its regular containers, in order. */
  readonly containers: readonly string[];
  readonly nativeSidecars: readonly string[];
  /** How many init containers it has, native sidecars among them. */
  readonly initContainers: number;
  readonly hasMetadata: boolean;
  /** Undefined if it has none. */
  readonly annotations: Readonly<Record<string, string>> | undefined;
}

export interface Kubelet {
  readonly node: string;
  /** Such as `v1.31.2-gke.100`. */
  readonly version: string;
}
