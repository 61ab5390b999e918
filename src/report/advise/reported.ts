import type { StuckPod } from '../../advise/stuck-pod.ts';
import type { PodReport, SweepReport } from '../schema.ts';

/** The pods that sweeps found stuck, each once, however many of them saw it. */
export function stuckPodsIn(reports: readonly SweepReport[]): readonly StuckPod[] {
  const byUid = new Map(reports.flatMap(({ pods }) => pods.map((pod) => [pod.uid, pod] as const)));
  return [...byUid.values()].map(toStuckPod);
}

/** A report has no uid of the owner, and no more of a container than its name and image. */
function toStuckPod({ namespace, name, owner, containers, mainsEndedAt }: PodReport): StuckPod {
  const unknown = { command: undefined, args: undefined, env: {}, restartPolicy: undefined };
  return {
    pod: {
      ref: { namespace, name },
      owner: owner && { ...owner, group: '', uid: '' },
      annotations: {},
      containers: containers.filter(({ role }) => role !== 'NativeSidecar'),
      initContainers: [],
      nativeSidecars: [],
    },
    sidecars: containers.flatMap((one) =>
      one.role === 'Sidecar'
        ? [{ because: one.because, container: { name: one.name, image: one.image, ...unknown } }]
        : [],
    ),
    mainsEndedAt: Date.parse(mainsEndedAt),
    isReported: true,
  };
}
