import { isDeepStrictEqual } from 'node:util';
import type { Pod } from '../../world/objects.ts';

type Spec = Pod['spec'];

/**
 * What else may change in a pod that waits for its scheduling gates: they may be removed, and where it may run may be
 * narrowed. https://kubernetes.io/docs/concepts/scheduling-eviction/pod-scheduling-readiness/
 */
export function withGatesOf(before: Spec, after: Spec): Spec {
  const gates = list(before['schedulingGates']);
  const left = list(after['schedulingGates']);
  if (!left.every((gate) => gates.some((each) => isDeepStrictEqual(each, gate)))) return after;
  const { schedulingGates, ...rest } = after;
  const reset: Spec = before['schedulingGates'] === undefined ? rest : { ...rest, schedulingGates: before['schedulingGates'] };
  if (gates.length === 0) return reset;
  const { nodeSelector, ...elsewhere } = reset;
  const kept = Object.entries(before['nodeSelector'] ?? {});
  const isNarrower = kept.every(([key, value]) => Object(nodeSelector)[key] === value);
  if (!isNarrower) return reset;
  return before['nodeSelector'] === undefined
    ? elsewhere
    : { ...elsewhere, nodeSelector: before['nodeSelector'] };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
