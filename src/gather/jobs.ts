import type { Cluster, Emit, JobReading } from '../ports.ts';
import type { Owner } from '../vocabulary.ts';

/** Reads Jobs; a namespace where that fails is warned of once, and one that refuses is not asked again. */
export interface JobReader {
  read(namespace: string, owner: Owner, signal: AbortSignal): Promise<JobReading>;
}

/** One for a whole sweep, so that whoever reads Jobs knows what others were refused. */
export function createJobReader(cluster: Pick<Cluster, 'readJob'>, emit: Emit): JobReader {
  const refused = new Map<string, JobReading>();
  const warned = new Set<string>();
  return {
    async read(namespace, owner, signal) {
      const before = refused.get(namespace);
      if (before) return before;
      const reading = await cluster.readJob(namespace, owner, signal);
      if (reading.kind !== 'Unreadable' || reading.problem.kind === 'Interrupted') return reading;
      const { kind, message } = reading.problem;
      if (kind === 'Forbidden') refused.set(namespace, reading);
      if (!warned.has(namespace)) {
        warned.add(namespace);
        emit({ kind: 'Warned', warning: { kind: 'JobsUnreadable', namespaces: [namespace], message } });
      }
      return reading;
    },
  };
}
