import { own } from '../methods/own.ts';
import type { ExecResult, HttpRequest, HttpResult } from '../requests.ts';
import { UsageError } from '../usage-error.ts';
import type { AttemptResult, Sign } from './contract.ts';
import type { Pod } from './events.ts';

/** A rule of RBAC, as in a Role. */
export interface RbacRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** The container that a step is for, and what can be asked of it. */
export interface Target {
  readonly pod: Pod;
  readonly container: string;
  /** Aborted some seconds after the sweep was stopped. */
  readonly abort: AbortSignal;
  /** Runs a command in the container; needs `get` and `create` on `pods/exec`. */
  exec(command: readonly string[]): Promise<ExecResult>;
  /** Sends a request to a port of the pod's loopback, through port-forward; needs `get` and `create` on `pods/portforward`. */
  request(request: HttpRequest): Promise<HttpResult>;
}

/** Your own way to end a sidecar. */
export interface MethodDefinition {
  /** Names it in plans, which are plain data; `applySweep` finds the method by it. */
  readonly name: string;
  /** What it does, in words for reports, such as "ask the agent to drain". */
  readonly does: string;
  /** The least that the account must be allowed to do; a step without permission is not planned. */
  readonly rbac: readonly RbacRule[];
  /**
   * Sends the request. The result says what became of the request: whether the container has ended is read from the pod, until
   * the step's grace is over. `Unconfirmed` is right whenever it may have arrived. What it throws counts as that.
   */
  send(to: Target): Promise<AttemptResult>;
}

/** What is known of one step. */
export interface OwnStepOptions {
  /** How long the sidecar may take to end, such as `30s`; the pod's own grace period if omitted. */
  readonly grace?: string;
  /** The code with which it then ends. If omitted, it is unknown, and one pod tries first where that may cost a Job. */
  readonly exitCode?: number;
  /** Only if the pod shows one of these. */
  readonly when?: readonly Sign[];
  /** Not if the pod shows one of these. */
  readonly unless?: readonly Sign[];
}

/** A step of your own method, for a profile or as a last resort; plain data. */
export interface OwnStep extends OwnStepOptions {
  readonly own: Pick<MethodDefinition, 'name' | 'does' | 'rbac'>;
}

export interface OwnMethod extends MethodDefinition {
  /** A step with this method, for a profile or as a last resort. */
  step(options?: OwnStepOptions): OwnStep;
}

/** Defines a way to end a sidecar. Throws a UsageError if the definition cannot be used. */
export function defineMethod(definition: MethodDefinition): OwnMethod {
  const { name, does, rbac } = definition;
  const step = (options: OwnStepOptions = {}): OwnStep => {
    const written = { own: { name, does, rbac }, ...options };
    const parsed = own.written.safeParse(written);
    if (parsed.success) return written;
    const [issue] = parsed.error.issues;
    throw new UsageError(`the method ${name}: ${issue?.path.join('.')}: ${issue?.message}`);
  };
  step();
  return { name, does, rbac, step, send: (to) => definition.send(to) };
}
