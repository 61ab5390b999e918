import {
  defaultContainerKey,
  istioStatusKey,
  listedUnder,
  mainListKey,
  ownKeys,
  sidecarListKeys,
} from '../pod/annotations.ts';
import type { PodView, Remark } from '../vocabulary.ts';
import { problemOfIstioStatus } from './roles/istio.ts';

const listKeys: readonly string[] = [
  ownKeys.main,
  ownKeys.sidecars,
  ...sidecarListKeys,
  mainListKey,
  defaultContainerKey,
];

/** What is odd about a pod's own annotations; reported, never acted on. */
export function remarksOn(pod: PodView): readonly Remark[] {
  const remarks: Remark[] = [];
  for (const key of listKeys) {
    for (const container of listedUnder(pod.annotations, key)) {
      if (!isContainerOf(pod, container)) remarks.push({ kind: 'UnknownContainer', key, container });
    }
  }
  const sidecars = [ownKeys.sidecars, ...sidecarListKeys].flatMap((key) => listedUnder(pod.annotations, key));
  const mains = [ownKeys.main, mainListKey].flatMap((key) => listedUnder(pod.annotations, key));
  for (const container of new Set(mains)) {
    if (sidecars.includes(container)) remarks.push({ kind: 'NamedAsBoth', container });
  }
  const problem = problemOfIstioStatus(pod);
  if (problem !== undefined) remarks.push({ kind: 'Unreadable', key: istioStatusKey, problem });
  return remarks;
}

/** Containers of any kind count: a list may name a sidecar that has since become a native one. */
function isContainerOf(pod: PodView, name: string): boolean {
  return (
    pod.containers.some((container) => container.name === name) ||
    pod.nativeSidecars.some((container) => container.name === name) ||
    pod.initContainers.includes(name) ||
    pod.ephemeralContainers.includes(name)
  );
}
