import type { Emit } from '../events.ts';
import { jobKey } from '../pod/owner.ts';
import type { Cluster, JobReading } from '../ports.ts';
import type { JobView, Owner } from '../vocabulary.ts';

/** Reads Jobs. Warns once for each namespace if that fails, and does not ask again after a Forbidden. */
export interface JobReader {
  read(namespace: string, owner: Owner, abort: AbortSignal): Promise<JobReading>;
  /** What was read of a Job before; undefined if it has not been read yet. */
  readBefore(namespace: string, owner: Owner): JobView | undefined;
}

/** One reader serves a whole sweep, so that no request is repeated after a refusal. */
export function createJobReader(cluster: Pick<Cluster, 'readJob'>, emit: Emit): JobReader {
  const refused = new Map<string, JobReading>();
  const warned = new Set<string>();
  const views = new Map<string, JobView>();
  return {
    readBefore: (namespace, owner) => views.get(jobKey(namespace, owner)),
    async read(namespace, owner, abort) {
      const before = refused.get(namespace);
      if (before) return before;
      const reading = await cluster.readJob(namespace, owner, abort);
      if (reading.kind === 'Present') views.set(jobKey(namespace, owner), reading.job);
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
