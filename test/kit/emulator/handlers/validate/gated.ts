import { isDeepStrictEqual } from 'node:util';
import type { Pod } from '../../world/objects.ts';

type Spec = Pod['spec'];

/**
 * What else may change in a pod that waits for its scheduling gates: they may be removed, and where it may run may be
 * narrowed. https://kubernetes.io/docs/concepts/scheduling-eviction/pod-scheduling-readiness/
 */
export function withGatesOf(before: Spec, after: Spec): Spec {
  const gates = listOf(before['schedulingGates']);
  const left = listOf(after['schedulingGates']);
  const areFewer = left.every((gate) => gates.some((each) => isDeepStrictEqual(each, gate)));
  const selector = Object.entries(before['nodeSelector'] ?? {});
  const isNarrower = selector.every(([key, value]) => Object(after['nodeSelector'])[key] === value);
  const ungated = areFewer ? reset(after, before, 'schedulingGates') : after;
  return gates.length > 0 && isNarrower ? reset(ungated, before, 'nodeSelector') : ungated;
}

function reset(spec: Spec, before: Spec, field: string): Spec {
  const { [field]: changed, ...rest } = spec;
  return (before[field] === undefined ? rest : { ...rest, [field]: before[field] }) as Spec;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
