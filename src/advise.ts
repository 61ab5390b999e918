import type { Origin, StuckPods } from './advice/cause.ts';
import { lookForCandidates } from './facts/candidates.ts';
import { faultless } from './facts/catch-faults.ts';
import { createJobReader } from './facts/jobs.ts';
import { jobKey, jobOf, type Owner, type PodView } from './model/pod.ts';
import type { Cluster, Origins } from './model/ports.ts';
import type { Candidate } from './model/verdict.ts';
import type { Emit } from './plan/sweep-event.ts';
import { type Advice, adviseOwner, reportAdvice } from './report/advise.ts';
import { LookFold } from './report/look-fold.ts';
import type { ScanOptions } from './scan.ts';
import type { Slots } from './util/concurrency.ts';
import { createSlots } from './util/concurrency.ts';

export interface AdviseOptions extends Omit<ScanOptions, 'cluster'> {
  readonly cluster: Cluster & Origins;
}

/** Lists and judges pods as a scan does, and says of each owner whose pods are stuck how to cure that for good. */
export async function advise({ where, concurrency, warnings, ...options }: AdviseOptions): Promise<Advice> {
  const { policy, stop } = options;
  const found = new LookFold({ verbose: false });
  const emit: Emit = (event) => {
    found.hear(event);
    options.emit(event);
  };
  for (const warning of warnings) emit({ kind: 'Warned', warning });
  const slots = createSlots(concurrency);
  const cluster = faultless(options.cluster, emit);
  const jobs = createJobReader(cluster, emit);
  const { candidates, asOf } = await lookForCandidates({ ...options, cluster, emit, slots, jobs });
  if (candidates.length === 0) return reportAdvice(found, where, asOf);
  const origins = options.cluster;
  const [stuck, server, kubelets] = await Promise.all([
    gatherOrigins(candidates, { cluster: origins, slots, stop }),
    origins.readVersion(stop),
    origins.listKubelets(stop),
  ]);
  const versions = { server, kubelets };
  const owners = stuck.map((one) => adviseOwner(one, versions, policy.catalogue));
  return reportAdvice(found, where, asOf, versions, owners);
}

interface OriginOptions {
  readonly cluster: Pick<Origins, 'readTemplate'>;
  readonly slots: Slots;
  readonly stop: AbortSignal;
}

/** Finds out what the pods of candidates are made from; each template is read once. */
export async function gatherOrigins(
  candidates: readonly Candidate[],
  { cluster, slots, stop }: OriginOptions,
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
