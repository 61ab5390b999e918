import type { Answer, Gate, SendRequest, Settled } from './gate.ts';

/**
 * A node has 110 pods at most, and a kubelet that was measured served 16 execs a second, however many were in flight. Of a node
 * that has not answered yet, one request finds out whether it does.
 */
const mostOfNode = 4;

/** One container may hang by itself, and a second may be a copy of it: a third pod in a row points to their node. */
const podsToGiveUp = 3;

interface Node {
  readonly reserved: Set<string>;
  hasAnswered: boolean;
  /** The pods through whose requests it could not be reached since it answered last. */
  readonly failed: Set<string>;
}

/** Bounds the requests that the API server passes on to one kubelet, so that one that hangs costs only its own pods. */
export class NodeLimitGate implements Gate {
  readonly #nodes = new Map<string, Node>();

  ask({ node: name }: SendRequest): Answer {
    if (name === undefined) return { kind: 'Open' };
    const { reserved, hasAnswered, failed } = this.#of(name);
    if (failed.size >= podsToGiveUp) return { kind: 'NodeLost' };
    return reserved.size < (hasAnswered ? mostOfNode : 1)
      ? { kind: 'Open' }
      : { kind: 'Wait', key: nodeKey(name) };
  }

  reserve({ node: name, id }: SendRequest): void {
    if (name === undefined) return;
    this.#of(name).reserved.add(id);
  }

  settle({ node: name, id, pod }: SendRequest, settled: Settled): readonly string[] {
    if (name === undefined || settled.kind === 'Left') return [];
    const node = this.#of(name);
    node.reserved.delete(id);
    const reached = settled.kind === 'Answered' ? settled.reached : undefined;
    if (reached) {
      node.hasAnswered = true;
      node.failed.clear();
    }
    if (reached === false) node.failed.add(pod.ref.uid);
    return [nodeKey(name)];
  }

  #of(name: string): Node {
    const node = this.#nodes.get(name) ?? {
      reserved: new Set(),
      hasAnswered: false,
      failed: new Set<string>(),
    };
    this.#nodes.set(name, node);
    return node;
  }
}

export function nodeKey(node: string): string {
  return `node ${node}`;
}
