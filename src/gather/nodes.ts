import type { Emit } from '../events.ts';
import type { Cluster, NodeReading } from '../ports.ts';

/** Reads nodes. Warns once if that fails, and does not ask again after a Forbidden. */
export interface NodeReader {
  read(name: string, abort: AbortSignal): Promise<NodeReading>;
}

export function createNodeReader(cluster: Pick<Cluster, 'readNode'>, emit: Emit): NodeReader {
  let refused: NodeReading | undefined;
  let warned = false;
  return {
    async read(name, abort) {
      if (refused) return refused;
      const reading = await cluster.readNode(name, abort);
      if (reading.kind !== 'Unreadable' || reading.problem.kind === 'Interrupted') return reading;
      const { kind, message } = reading.problem;
      if (kind === 'Forbidden') refused = reading;
      if (!warned) emit({ kind: 'Warned', warning: { kind: 'NodesUnreadable', message } });
      warned = true;
      return reading;
    },
  };
}
