import type { SwapSign } from '../../model/pod.ts';
import { filled, type Json, record, records } from '../json.ts';
import { parseQuantity } from './quantity.ts';

/** What of a container could make an image swap go otherwise than those that were recorded. */
export function swapSigns(container: Json, status: Json | undefined, pod: Json): readonly SwapSign[] {
  const { lifecycle, startupProbe, livenessProbe } = container;
  return [
    ...(record(lifecycle)['postStart'] ? (['PostStart'] as const) : []),
    ...(startupProbe || livenessProbe ? (['Probes'] as const) : []),
    ...(isResized(pod) || differs(container, status) ? (['Resize'] as const) : []),
  ];
}

/** https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/ */
function isResized({ resize, conditions }: Json): boolean {
  const types = ['PodResizePending', 'PodResizeInProgress'];
  // Before Kubernetes 1.33, the status had a field for it.
  if (filled(resize) !== undefined) return true;
  return records(conditions).some(({ type, status }) => types.includes(String(type)) && status === 'True');
}

/** Whether the kubelet has allocated something else than the spec asks for by now. */
function differs({ resources }: Json, status: Json | undefined): boolean {
  const asked = record(record(resources)['requests']);
  return Object.entries(record(status?.['allocatedResources'])).some(
    ([name, allocated]) =>
      asked[name] !== undefined && parseQuantity(asked[name]) !== parseQuantity(allocated),
  );
}
