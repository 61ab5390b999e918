import type { ApiPod } from './api-types.ts';
import { listed } from './naive-roles.ts';

const sidecarKeys = [
  'sidecar-sweeper.dev/sidecars',
  'nrmitchi.com/sidecars',
  'lemonade.com/sidecars',
  'pod.kubernetes.io/sidecars',
  'riskified.com/sidecars',
];
const mainKeys = ['sidecar-sweeper.dev/main', 'riskified.com/main_sidecars'];

/** Remarks on a pod's annotations. */
export function naiveRemarks(pod: ApiPod): readonly string[] {
  const annotations = pod.metadata.annotations ?? {};
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
  const existing = [...containers, ...initContainers, ...ephemeralContainers].map(({ name }) => name);
  const remarks: string[] = [];
  for (const key of [...sidecarKeys, ...mainKeys, 'kubectl.kubernetes.io/default-container']) {
    for (const name of listed(annotations[key])) {
      if (!existing.includes(name)) remarks.push(`UnknownContainer ${key} ${name}`);
    }
  }
  const all = (keys: readonly string[]) => keys.flatMap((key) => listed(annotations[key]));
  for (const name of new Set(all(mainKeys))) {
    if (all(sidecarKeys).includes(name)) remarks.push(`NamedAsBoth ${name}`);
  }
  const istio = annotations['sidecar.istio.io/status'];
  if (istio !== undefined && !istio.startsWith('{')) remarks.push('Unreadable sidecar.istio.io/status');
  return remarks;
}
