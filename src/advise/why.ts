import { shortened } from '../model/bounds.ts';
import type { WhyStuck } from './advice.ts';
import { type ClusterVersions, oldNodes } from './native.ts';
import { meantKey } from './near-miss.ts';
import type { Placed } from './place.ts';
import { switchesFor, versionOf } from './switches.ts';
import { reaches } from './version.ts';

/** Why a sidecar keeps its pod from ending although there are native sidecars. */
export function whyStuck(sidecar: Placed, versions: ClusterVersions): readonly WhyStuck[] {
  const { place, container } = sidecar;
  switch (place.kind) {
    case 'Template':
      // Since Kubernetes 1.34, any container may have a policy of its own. (RedHatInsights/clowder#1783)
      return container.restartPolicy === 'Always'
        ? [{ kind: 'InTemplate' }, { kind: 'AlwaysOnRegular' }]
        : [{ kind: 'InTemplate' }];
    case 'Native':
      return [{ kind: 'AlreadyNative' }];
    case 'Unknown':
      return [{ kind: 'TemplateUnknown', problem: shortened(place.problem) }];
    case 'Injected':
      return [{ kind: 'NotInTemplate' }, ...whyNotNative(sidecar, versions)];
  }
}

/** What the pod's annotations and the nodes say of the injector's switch. */
function whyNotNative(sidecar: Placed, versions: ClusterVersions): readonly WhyStuck[] {
  const applicable = switchesFor(sidecar).filter(({ native }) => native);
  const told = toldByPod(sidecar);
  if (told.some(({ kind }) => kind === 'SwitchOff' || kind === 'SwitchInVain')) return told;
  const [wanted] = applicable.flatMap(({ annotation }) => annotation?.key ?? []);
  const nodes = applicable.flatMap(({ kubelets }) => (kubelets && oldNodes(versions, kubelets)) || []);
  const isKnown = versionOf(sidecar) !== undefined;
  const unset: readonly WhyStuck[] =
    told.length === 0 && wanted !== undefined && isKnown ? [{ kind: 'SwitchUnset', key: wanted }] : [];
  return [...told, ...unset, ...nodes];
}

/** The annotations of the pod that are switches, or are meant to be. */
function toldByPod(sidecar: Placed): readonly WhyStuck[] {
  const version = versionOf(sidecar);
  const switches = (sidecar.profile?.cure?.switches ?? []).filter(({ native }) => native);
  const known = new Map<string, string>();
  const read: string[] = [];
  for (const { annotation, since } of switches) {
    if (!annotation) continue;
    known.set(annotation.key, annotation.value);
    // A later version still reads what an earlier one did.
    if (!version || !since || reaches(version, since)) read.push(annotation.key);
  }
  const [newest] = read;
  return Object.entries(sidecar.pod.annotations).flatMap(([key, value]): readonly WhyStuck[] => {
    if (read.includes(key)) {
      return value === known.get(key)
        ? [{ kind: 'SwitchInVain', key }]
        : [{ kind: 'SwitchOff', key, value: shortened(value) }];
    }
    const meant = known.has(key) ? newest : meantKey(key, read);
    return meant === undefined ? [] : [{ kind: 'SwitchMisspelt', key: shortened(key), meant }];
  });
}
