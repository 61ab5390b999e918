import type { Cluster, Emit, NodeReading } from '../ports.ts';

/** Reads nodes; that it fails is warned of once, and nothing is asked after a refusal. */
export interface NodeReader {
  read(name: string, signal: AbortSignal): Promise<NodeReading>;
}

export function createNodeReader(cluster: Pick<Cluster, 'readNode'>, emit: Emit): NodeReader {
  let refused: NodeReading | undefined;
  let warned = false;
  return {
    async read(name, signal) {
      if (refused) return refused;
      const reading = await cluster.readNode(name, signal);
      if (reading.kind !== 'Unreadable' || reading.problem.kind === 'Interrupted') return reading;
      const { kind, message } = reading.problem;
      if (kind === 'Forbidden') refused = reading;
      if (!warned) emit({ kind: 'Warned', warning: { kind: 'NodesUnreadable', message } });
      warned = true;
      return reading;
    },
  };
}
