import { newImageOf, rbacOf } from '../methods/index.ts';
import type { PodView } from '../model/pod.ts';
import type { Cluster, ExecResult, HttpResult, LogReading } from '../model/ports.ts';
import type { PlannedStep } from '../plan/sweep-plan.ts';
import type { Policy } from '../policy/policy.ts';
import { createSlots, type MeasuredSlots, type Slots } from '../util/concurrency.ts';
import type { Clock, Millis } from '../util/time.ts';

/**
 * A node has 110 pods at most, and a kubelet that was measured served 16 execs a second, however many were in flight. Of a node
 * that has not answered yet, one request finds out whether it does.
 */
const mostOfNode = 4;

/** One container may hang by itself, and the second may have been made alike: a third pod in a row tells of their node. */
const podsToGiveUp = 3;

/** Whoever waits longer for a node gives its slot back; a busy kubelet was measured to answer within 1.2 s. */
const timeInSlot: Millis = 3_000;

/** Said whenever a wait for a node ends: the error that AbortController makes otherwise costs more than the wait. */
const answered = Symbol('answered');

/** How many requests may be in line, of those that do not wait for a silent node, before more pods begin. */
const mostInLineOfSlot = 8;

interface Node {
  readonly slots: MeasuredSlots;
  /** Requests that have not begun, and those that wait so long that they occupy no slot. */
  inLine: number;
  silent: number;
  /** For the request that finds out whether the node answers. */
  readonly first: Slots;
  hasAnswered: boolean;
  /** The pods that it could not be reached for since it answered last. */
  readonly failed: Set<string>;
}

/** What nodes had to bear at most: requests in flight through one of them, and those that waited for silent ones. */
export interface NodeLoad {
  readonly ofNode: number;
  readonly silent: number;
}

/** Bounds the requests that the API server passes on to kubelets, so that one that hangs costs only its own pods. */
export class Nodes {
  readonly #nodes = new Map<string, Node>();
  #silent = 0;
  #mostSilent = 0;
  /** Requests in line for no node. */
  #directInLine = 0;
  #atTheDoor: (() => void)[] = [];

  constructor(
    private readonly slots: Slots,
    private readonly clock: Clock,
    /** How many requests may wait for silent nodes, besides those in slots. */
    private readonly concurrency: number,
  ) {}

  /** Makes a request through a node. Whoever waits for its turn there occupies no slot. */
  async through<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
    if (name === undefined) return this.#direct(work);
    const node = this.#of(name);
    node.inLine++;
    return node.slots(() => {
      const inSlot = () => this.#inSlot(node, work);
      return node.hasAnswered ? inSlot() : node.first(inSlot);
    });
  }

  /**
   * Resolves once few requests are in line: a pod that has begun takes memory. Those for silent nodes do not count, and all
   * others begin by themselves, whatever else waits.
   */
  async room(): Promise<void> {
    while (this.#inLine() >= mostInLineOfSlot * this.concurrency) {
      await new Promise<void>((resolve) => void this.#atTheDoor.push(resolve));
    }
  }

  /** Whether a node is given up, until it answers after all. */
  isLost(name: string | undefined): boolean {
    return name !== undefined && (this.#nodes.get(name)?.failed.size ?? 0) >= podsToGiveUp;
  }

  /** The same cluster, whose answers for this pod show whether its node can be reached. */
  watch(pod: PodView, cluster: Cluster): Cluster {
    return {
      ...cluster,
      exec: async (...asked) => this.#note(pod, await cluster.exec(...asked)),
      request: async (...asked) => this.#note(pod, await cluster.request(...asked)),
      readLog: async (...asked) => this.#note(pod, await cluster.readLog(...asked)),
    };
  }

  most(): NodeLoad {
    const all = [...this.#nodes.values()].map(({ slots }) => slots.most());
    return { ofNode: all.reduce((most, each) => Math.max(most, each), 0), silent: this.#mostSilent };
  }

  #of(name: string): Node {
    const known = this.#nodes.get(name);
    if (known) return known;
    const node = {
      slots: createSlots(mostOfNode),
      first: createSlots(1),
      hasAnswered: false,
      failed: new Set<string>(),
      inLine: 0,
      silent: 0,
    };
    this.#nodes.set(name, node);
    return node;
  }

  #inLine(): number {
    let all = this.#directInLine;
    for (const { inLine, silent, failed } of this.#nodes.values()) {
      if (silent === 0 && failed.size === 0) all += inLine;
    }
    return all;
  }

  #openTheDoor(): void {
    for (const enter of this.#atTheDoor.splice(0)) enter();
  }

  #direct<T>(work: () => Promise<T>): Promise<T> {
    this.#directInLine++;
    return this.slots(() => {
      this.#directInLine--;
      this.#openTheDoor();
      return work();
    });
  }

  async #inSlot<T>(node: Node, work: () => Promise<T>): Promise<T> {
    const { result } = await this.slots(async () => {
      node.inLine--;
      this.#openTheDoor();
      const result = work();
      await this.#untilSilent(node, result);
      return { result };
    });
    return result;
  }

  async #untilSilent(node: Node, result: Promise<unknown>): Promise<void> {
    const done = new AbortController();
    const end = () => done.abort(answered);
    const ended = result.then(end, end);
    await this.clock.sleep(timeInSlot, done.signal);
    if (done.signal.aborted) return;
    node.silent++;
    void ended.then(() => node.silent--);
    this.#openTheDoor();
    if (this.#silent >= this.concurrency) return ended;
    this.#mostSilent = Math.max(this.#mostSilent, ++this.#silent);
    void ended.then(() => this.#silent--);
  }

  #note<R extends ExecResult | HttpResult | LogReading>({ ref, node: name }: PodView, result: R): R {
    if (name === undefined) return result;
    const node = this.#of(name);
    switch (reachOf(result)) {
      case 'Reached':
        node.hasAnswered = true;
        node.failed.clear();
        break;
      case 'NotReached':
        node.failed.add(ref.uid);
        this.#openTheDoor();
        break;
      case 'Unknown':
        break;
    }
    return result;
  }
}

function reachOf(result: ExecResult | HttpResult | LogReading): 'Reached' | 'NotReached' | 'Unknown' {
  switch (result.kind) {
    case 'Exited':
    case 'NoSuchProgram':
    case 'Answered':
    case 'Closed':
    case 'NotListening':
    case 'Read':
      return 'Reached';
    case 'Undelivered':
    case 'Unconfirmed':
      return result.silentNode ? 'NotReached' : 'Unknown';
    case 'Unreadable':
      return result.problem.kind === 'TimedOut' ? 'NotReached' : 'Unknown';
    // The API server may have said this by itself.
    case 'NotThere':
    case 'Refused':
    case 'Busy':
      return 'Unknown';
  }
}

const throughKubelet = ['pods/exec', 'pods/portforward', 'pods/log'];

/** Whether the API server passes what a step asks for on to the kubelet of the pod's node. */
export function goesThroughNode(step: PlannedStep, { keepLogs }: Pick<Policy, 'keepLogs'>): boolean {
  const readsLogs = keepLogs > 0 && newImageOf(step) !== undefined;
  return (
    readsLogs || rbacOf(step).some(({ resources }) => resources.some((one) => throughKubelet.includes(one)))
  );
}
