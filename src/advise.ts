import { admissionPolicyFor } from './advice/admission-policy.ts';
import type { Origin, StuckPods } from './advice/cause.ts';
import { findCandidates } from './facts/candidates.ts';
import { jobKey, jobOf, type Owner } from './model/pod.ts';
import type { Origins } from './model/ports.ts';
import type { Candidate } from './model/verdict.ts';
import { type Advice, adviseOwner, reportAdvice } from './report/advise.ts';
import { JudgedPods } from './report/judged-pods.ts';
import { type ScanOptions, toolsFor } from './scan.ts';
import type { Slots } from './util/concurrency.ts';
import { groupsOf } from './util/groups.ts';

interface AdviseOptions extends Omit<ScanOptions, 'cluster'> {
  readonly cluster: ScanOptions['cluster'] & Origins;
}

/** Lists and judges pods as a scan does, and tells each owner of stuck pods how to prevent that for good. */
export async function advise(options: AdviseOptions): Promise<Advice> {
  const { policy, stop, cluster } = options;
  const fold = new JudgedPods(() => undefined);
  const tools = toolsFor(options, fold);
  const { candidates, asOf } = await findCandidates(tools);
  if (candidates.length === 0) return reportAdvice(fold, cluster, policy, asOf);
  const [stuck, server, kubelets] = await Promise.all([
    gatherOrigins(candidates, cluster, tools.slots, stop),
    cluster.readVersion(stop),
    cluster.listKubelets(stop),
  ]);
  const versions = { server, kubelets };
  const owners = stuck.map((one) => adviseOwner(one, versions, policy.catalogue));
  const admission = admissionPolicyFor(stuck, versions, policy.catalogue);
  return reportAdvice(fold, cluster, policy, asOf, { owners, admission });
}

/** Groups candidates by the object whose template their pods are made from; each template is read once. */
export async function gatherOrigins(
  candidates: readonly Candidate[],
  cluster: Pick<Origins, 'readTemplate'>,
  slots: Slots,
  stop: AbortSignal,
): Promise<readonly StuckPods[]> {
  const origins = new Map<string, Promise<Origin>>();

  function originOnce(namespace: string, owner: Owner): Promise<Origin> {
    const key = jobKey(namespace, owner);
    const origin = origins.get(key) ?? readOrigin(namespace, owner);
    origins.set(key, origin);
    return origin;
  }

  async function readOrigin(namespace: string, { kind, name, uid }: Owner): Promise<Origin> {
    const reading = await slots(() => cluster.readTemplate(namespace, { kind, name, uid }, stop));
    const creator = reading.kind === 'Present' ? reading.template.owner : undefined;
    // The template of a Job that another object created can only be changed there.
    if (creator?.kind === 'CronJob' && creator.group === 'batch') return originOnce(namespace, creator);
    if (creator) return { ...creator, namespace, reading: undefined };
    return { kind, namespace, name, uid, reading };
  }

  async function originOf({ pod }: Candidate): Promise<Origin> {
    const { namespace } = pod.ref;
    const job = jobOf(pod);
    if (job) return originOnce(namespace, job);
    const { kind, name, uid } = pod.owner ?? { ...pod.ref, kind: 'Pod' };
    return { kind, namespace, name, uid, reading: undefined };
  }

  const found = await Promise.all(
    candidates.map(async (candidate) => ({ candidate, origin: await originOf(candidate) })),
  );
  return groupsOf(found, ({ origin }) => jobKey(origin.namespace, origin)).map((same) => ({
    origin: same[0].origin,
    candidates: same.map(({ candidate }) => candidate),
  }));
}
