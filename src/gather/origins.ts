import type { Origin, StuckPods } from '../advice/cause.ts';
import { jobKey, jobOf, type Owner, type PodView } from '../model/pod.ts';
import type { Candidate } from '../model/verdict.ts';
import type { Origins, Slots } from '../ports.ts';

interface Options {
  readonly cluster: Pick<Origins, 'readTemplate'>;
  readonly slots: Slots;
  readonly stop: AbortSignal;
}

/** Finds out what the pods of candidates are made from; each template is read once. */
export async function gatherOrigins(
  candidates: readonly Candidate[],
  { cluster, slots, stop }: Options,
): Promise<readonly StuckPods[]> {
  const asked = new Map<string, Promise<Origin>>();

  function once(namespace: string, owner: Owner): Promise<Origin> {
    const key = jobKey(namespace, owner);
    const origin = asked.get(key) ?? readOrigin(namespace, owner);
    asked.set(key, origin);
    return origin;
  }

  async function readOrigin(namespace: string, { kind, name, uid }: Owner): Promise<Origin> {
    const reading = await slots(() => cluster.readTemplate(namespace, { kind, name, uid }, stop));
    const starter = reading.kind === 'Present' ? reading.template.owner : undefined;
    // A Job that something else started has a template that can only be changed there.
    if (starter?.kind === 'CronJob' && starter.group === 'batch') return once(namespace, starter);
    if (starter) return { ...starter, namespace, reading: undefined };
    return { kind, namespace, name, uid, reading };
  }

  const found = await Promise.all(
    candidates.map(async (candidate) => {
      const { pod } = candidate;
      const job = jobOf(pod);
      return { candidate, origin: job ? await once(pod.ref.namespace, job) : originOf(pod) };
    }),
  );
  const grouped = new Map<string, { readonly origin: Origin; readonly candidates: Candidate[] }>();
  for (const { candidate, origin } of found) {
    const key = jobKey(origin.namespace, origin);
    const group = grouped.get(key) ?? { origin, candidates: [] };
    group.candidates.push(candidate);
    grouped.set(key, group);
  }
  return [...grouped.values()];
}

/** A pod that no Job owns. */
function originOf({ ref, owner }: PodView): Origin {
  const { kind, name, uid } = owner ?? { ...ref, kind: 'Pod' };
  return { kind, namespace: ref.namespace, name, uid, reading: undefined };
}
