import type { Origin, StuckPods } from '../advise/origin.ts';
import type { StuckPod } from '../advise/stuck-pod.ts';
import type { Origins, TemplateReading } from '../origins.ts';
import type { Slots } from '../ports.ts';

interface Options {
  readonly cluster: Pick<Origins, 'readTemplate'>;
  readonly slots: Slots;
  readonly stop: AbortSignal;
}

/** A CronJob names its Jobs after itself and the minute they are for. (kubernetes/kubernetes, pkg/controller/cronjob/utils.go) */
const jobOfCronJob = /^(.+)-\d{8,10}$/;

/** Finds out what reported pods are made from. A report has the names of owners, but no uids, and the owners may be gone. */
export async function gatherReportedOrigins(
  pods: readonly StuckPod[],
  { cluster, slots, stop }: Options,
): Promise<readonly StuckPods[]> {
  const asked = new Map<string, Promise<Origin>>();

  function read(namespace: string, kind: string, name: string): Promise<TemplateReading> {
    return slots(() => cluster.readTemplate(namespace, { kind, name, uid: undefined }, stop));
  }

  async function readOrigin({ pod }: StuckPod): Promise<Origin> {
    const { ref, owner } = pod;
    const { namespace } = ref;
    const { kind, name } = owner ?? { kind: 'Pod', name: ref.name };
    if (kind !== 'Job') return { kind, namespace, name, uid: '', reading: undefined };
    const reading = await read(namespace, kind, name);
    const starter = reading.kind === 'Present' ? reading.template.owner : undefined;
    if (starter && starter.kind !== 'CronJob') return { ...starter, namespace, reading: undefined };
    const like = jobOfCronJob.exec(name)?.[1];
    const cronJob = starter?.name ?? (reading.kind === 'Gone' ? like : undefined);
    const ofCronJob = cronJob === undefined ? undefined : await read(namespace, 'CronJob', cronJob);
    if (cronJob === undefined || ofCronJob?.kind !== 'Present') {
      // What runs by the minute is one owner, even if nothing can be read of it.
      const one = reading.kind === 'Present' || like === undefined ? name : `${like}-*`;
      return { kind, namespace, name: one, uid: '', reading };
    }
    return { kind: 'CronJob', namespace, name: cronJob, uid: ofCronJob.template.uid, reading: ofCronJob };
  }

  const grouped = new Map<string, { readonly origin: Origin; readonly candidates: StuckPod[] }>();
  for (const pod of pods) {
    const { ref, owner } = pod.pod;
    const key = `${ref.namespace}/${owner?.kind ?? 'Pod'}/${owner?.name ?? ref.name}`;
    const origin = asked.get(key) ?? readOrigin(pod);
    asked.set(key, origin);
    const { kind, namespace, name } = await origin;
    const group = grouped.get(`${namespace}/${kind}/${name}`) ?? { origin: await origin, candidates: [] };
    group.candidates.push(pod);
    grouped.set(`${namespace}/${kind}/${name}`, group);
  }
  return [...grouped.values()];
}
