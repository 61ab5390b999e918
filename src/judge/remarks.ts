import {
  istioStatusKey,
  listedUnder,
  listKeys,
  mainListKey,
  ownKeys,
  sidecarListKeys,
} from '../model/annotations.ts';
import { bounds, shortened } from '../model/bounds.ts';
import type { Remark } from '../model/evidence.ts';
import type { PodView } from '../model/pod.ts';
import { problemOfIstioStatus } from './evidence/injectors.ts';

/** What is odd about a pod's own annotations; reported, never acted on. */
export function remarksOn(pod: PodView): readonly Remark[] {
  const remarks = [...unknownContainers(pod), ...namedAsBoth(pod), ...unreadable(pod)];
  const told = remarks.slice(0, bounds.remarks);
  return remarks.length === told.length
    ? told
    : [...told, { kind: 'LeftOut', remarks: remarks.length - told.length }];
}

function unknownContainers(pod: PodView): readonly Remark[] {
  const lists = listKeys.map((key) => ({ key, names: listedUnder(pod.annotations, key) }));
  if (lists.every(({ names }) => names.length === 0)) return [];
  // Containers of any kind count: a list may name a sidecar that has since become a native one.
  const known = new Set([
    ...[...pod.containers, ...pod.nativeSidecars, ...pod.initContainers].map(({ name }) => name),
    ...pod.ephemeralContainers,
  ]);
  return lists.flatMap(({ key, names }) =>
    names
      .filter((name) => !known.has(name))
      .map((name): Remark => ({ kind: 'UnknownContainer', key, container: shortened(name) })),
  );
}

function namedAsBoth({ annotations }: PodView): readonly Remark[] {
  const mains = [ownKeys.main, mainListKey].flatMap((key) => listedUnder(annotations, key));
  if (mains.length === 0) return [];
  const sidecars = new Set(
    [ownKeys.sidecars, ...sidecarListKeys].flatMap((key) => listedUnder(annotations, key)),
  );
  return [...new Set(mains)]
    .filter((name) => sidecars.has(name))
    .map((name) => ({ kind: 'NamedAsBoth', container: shortened(name) }));
}

function unreadable(pod: PodView): readonly Remark[] {
  const problem = problemOfIstioStatus(pod);
  return problem === undefined ? [] : [{ kind: 'Unreadable', key: istioStatusKey, problem }];
}
