import { needs, withGrant } from '../methods/permissions.ts';
import type { NodeReading } from '../model/facts.ts';
import type { Cluster } from '../model/ports.ts';
import type { Emit } from '../plan/sweep-event.ts';
import { createNamedReader, type ReadNamed } from './by-list.ts';

/** Reads nodes. Warns once if that fails, and does not ask again after a Forbidden. */
export interface NodeReader {
  readonly readAll: ReadNamed<NodeReading>;
}

export function createNodeReader(cluster: Pick<Cluster, 'readNode' | 'listNodes'>, emit: Emit): NodeReader {
  let refused: NodeReading | undefined;
  let warned = false;

  async function read(name: string, abort: AbortSignal): Promise<NodeReading> {
    if (refused) return refused;
    const reading = await cluster.readNode(name, abort);
    if (reading.kind !== 'Unreadable' || reading.problem.kind === 'Interrupted') return reading;
    if (reading.problem.kind === 'Forbidden') refused = reading;
    const message = withGrant(reading.problem, needs.nodes.rules);
    if (!warned) emit({ kind: 'Warned', warning: { kind: 'NodesUnreadable', message } });
    warned = true;
    return reading;
  }

  const readAll = createNamedReader({ list: (token, abort) => cluster.listNodes(token, abort), read });
  return { readAll };
}
