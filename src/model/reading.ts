import { printable } from '../util/text.ts';
import type { Millis } from '../util/time.ts';
import type { JobView } from './job.ts';
import type { PodName, PodView } from './pod.ts';

/** Why a request failed; `message` is one line for people. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly message: string;
  /** Another try may soon succeed. Missing if waiting does not help. */
  readonly isFleeting?: true;
  /** A proxy or a gateway refused, or the account may not impersonate: the permissions for the request do not help. */
  readonly isForeign?: true;
}

export type ProblemKind =
  | 'Unreachable'
  | 'TimedOut'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'Rejected'
  | 'Malformed'
  /** Larger than anything of its kind should be. */
  | 'TooLarge'
  | 'Interrupted'
  /** A defect, not an answer of the cluster. */
  | 'InternalError';

export interface Unreadable {
  readonly kind: 'Unreadable';
  readonly problem: Problem;
}

/** The result of reading a Job; it is Gone if another Job has its name. */
export type JobReading =
  | { readonly kind: 'Present'; readonly job: JobView }
  | { readonly kind: 'Gone' }
  | Unreadable;

export type PodReading =
  | { readonly kind: 'Present'; readonly pod: PodView; readonly asOf: Millis | undefined }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Replaced'; readonly uid: string }
  | Unreadable;

/** The state of one instance of a container, as a read of its pod shows it. */
export type Observation =
  | {
      readonly kind: 'Exited';
      readonly exitCode: number;
      readonly signal: number | undefined;
      readonly finishedAt: Millis | undefined;
      /** The no-op image has ended; the old container did before it. */
      readonly swapped?: true;
      /** The old container has ended, and the kubelet has not started the no-op image, and never will. */
      readonly unstarted?: true;
    }
  | {
      readonly kind: 'Running';
      /** The no-op image is running. */
      readonly swapped?: true;
    }
  /** It ended after an image swap was sent, and the new image does not start, or not yet. */
  | {
      readonly kind: 'NotStarted';
      readonly reason: string;
      /** The exit code of the old container, if the kubelet starts none in its place unless it was the swap that ended it. */
      readonly ended?: number;
    }
  | {
      readonly kind: 'Restarted';
      readonly exitCode: number | undefined;
      readonly finishedAt?: Millis | undefined;
      readonly restartCount: number;
    }
  | Exclude<PodReading, { readonly kind: 'Present' }>;

export type NamespaceReading =
  | {
      readonly kind: 'Present';
      readonly annotations: Readonly<Record<string, string>>;
      readonly uid?: string;
    }
  | { readonly kind: 'Gone' }
  | Unreadable;

export interface Listed<Reading> {
  readonly name: string;
  readonly reading: Reading;
}

export type NodeReading =
  /** Its operating system and architecture, such as `linux/arm64`. */
  | { readonly kind: 'Ready'; readonly platform: string }
  /** Its Ready condition is not True, or the Node is gone; its containers cannot be reached. */
  | { readonly kind: 'NotReady'; readonly reason: string }
  | Unreadable;

/** All items of a list; it is Unreadable if one of them may be missing. */
export type ListReading<T> = { readonly kind: 'Read'; readonly items: readonly T[] } | Unreadable;

/** Continues a list; undefined begins it, and comes with its last page. */
export type PageToken = string | undefined;

export type ObjectPage<T> =
  | { readonly kind: 'Page'; readonly items: readonly T[]; readonly token: PageToken }
  | Unreadable;

/** The facts besides the pod that judging and planning need; read beforehand, as far as needed and permitted. */
export interface Facts {
  /** What the templates of Jobs contain, by the Job's uid. */
  readonly templates: ReadonlyMap<string, Pick<JobView, 'containers' | 'nativeSidecars'>>;
  /** The nodes that were read, by their name. A pod may have no node yet. */
  readonly nodes: ReadonlyMap<string | undefined, NodeReading>;
  /** The namespaces that were read, by their name. */
  readonly namespaces: ReadonlyMap<string, NamespaceReading>;
  /** Those that the selector of namespaces selects; undefined if there is none. */
  readonly selectedNamespaces: ReadonlySet<string> | undefined;
  /** The pod that this process runs in. */
  readonly self: PodName | undefined;
}

/** The operating system and architecture of the node of a pod, if it is known to be ready. */
export function platformOf({ nodes }: Pick<Facts, 'nodes'>, { node }: PodView): string | undefined {
  const reading = nodes.get(node);
  return reading?.kind === 'Ready' ? reading.platform : undefined;
}

/** The Job that owns a pod, as far as planning knows it. */
export type JobFacts =
  | {
      readonly kind: 'Known';
      readonly job: JobView;
      /** Restarts of all its pods that have not ended: what the Job compares with its backoffLimit. */
      readonly restarts: number;
      /** The restarts of those in which no container has ended: they need not end during a sweep. */
      readonly restartsAtWork: number;
      /** How many of its candidates have finished their work, and of how many a main has failed. */
      readonly finished: number;
      readonly failing: number;
      /** How the containers of its failed pods ended, by their names, as far as they were read. */
      readonly failures: readonly ReadonlyMap<string, FailedEnd>[];
    }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Unreadable' };

export interface FailedEnd {
  readonly exitCode: number;
  readonly finishedAt: Millis | undefined;
}

/** An unexpected error: a defect of this program, or of what its user plugged into it. */
export interface Fault {
  /** The work in which it happened, as in "internal error while judging demo/work". */
  readonly doing: string;
  readonly message: string;
  readonly stack: string | undefined;
}

export function faultOf(doing: string, error: unknown): Fault {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { doing, message: printable(message), stack: error instanceof Error ? error.stack : undefined };
}

const faultPrefix = 'internal error while ';

export function describeFault({ doing, message }: Fault): string {
  return `${faultPrefix}${doing}: ${message}`;
}

/** Whether a problem in a report is a fault. */
export function isFault(problem: string): boolean {
  return problem.startsWith(faultPrefix);
}
