import { shortened } from '../model/bounds.ts';
import type { TemplateReading } from '../model/ports.ts';
import { key, kind, problem, text, union, type Value } from '../model/schema.ts';
import { type Sign, shows } from '../model/signs.ts';
import type { Candidate, Sidecar } from '../model/verdict.ts';
import { findProfile, type Profile, type Switch } from '../policy/profile.ts';
import { sentences } from '../util/text.ts';
import {
  type ClusterVersions,
  describeNodes,
  oldNodes,
  oldNodesFound,
  reaches,
  tagOf,
  type Version,
  versionIn,
} from './versions.ts';

export const whyStuck = union('why a sidecar keeps pods from ending although there are native sidecars', [
  kind('InTemplate', "its owner's template has it under containers"),
  kind(
    'AlwaysOnRegular',
    'restartPolicy: Always is set on a regular container, which the kubelet then only restarts',
  ),
  kind('AlreadyNative', "its owner's template now has it as a native sidecar, but the pod is older"),
  kind('NotInTemplate', 'something injected it as a regular container'),
  kind('TemplateUnknown', 'the template that the pod was created from could not be read', { problem }),
  kind('SwitchUnset', 'no annotation of the pod asks the injector for a native sidecar', { key }),
  kind('SwitchUnread', 'the pod has an annotation that this version of the injector does not read', {
    key,
    meant: text('the annotation that the injector reads'),
  }),
  kind('SwitchOff', 'an annotation of the pod switches it off', { key, value: text('its value') }),
  kind('SwitchIgnored', 'an annotation of the pod asks for a native sidecar, but the injector ignored it', {
    key,
  }),
  oldNodesFound,
]);
export type WhyStuck = Value<typeof whyStuck>;

export const describeWhy = sentences<WhyStuck>({
  InTemplate: 'the template has it under containers, so the pod waits for it',
  AlwaysOnRegular: 'its restartPolicy: Always only restarts it, because it is not an init container',
  AlreadyNative: 'the template now has it as a native sidecar, but these pods are older',
  NotInTemplate: 'it is not in the template: something injected it, as a regular container',
  TemplateUnknown: (why) => `where it comes from is unknown (${why.problem})`,
  SwitchUnset: (why) => `${why.key} is not set`,
  SwitchUnread: (why) => `the pod has ${why.key}, which this version does not read; it reads ${why.meant}`,
  SwitchOff: (why) => `${why.key} is ${JSON.stringify(why.value)}`,
  SwitchIgnored: (why) => `${why.key} is set, but the injector ignored it: check its version`,
  OldNodes: (why) => `nodes have kubelets older than ${why.kubelet}: ${describeNodes(why)}`,
});

/** The source of pods: a CronJob, a Job without one, another owner, or a manifest of their own. */
export interface Origin {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Undefined for a kind of owner whose template is not read, and for a pod without an owner. */
  readonly reading: TemplateReading | undefined;
}

export interface StuckPods {
  readonly origin: Origin;
  readonly candidates: readonly Candidate[];
}

type Place =
  /** Its place among the containers of its owner's template, or of the pod's own manifest. */
  | { readonly kind: 'Template'; readonly index: number }
  /** The template now has it as a native sidecar. */
  | { readonly kind: 'Native' }
  | { readonly kind: 'Injected' }
  | { readonly kind: 'Unknown'; readonly problem: string };

export interface Placed extends Sidecar, Pick<Candidate, 'pod'> {
  readonly profile: Profile | undefined;
  readonly place: Place;
}

export function placed(
  { pod, sidecars }: Candidate,
  origin: Origin,
  catalogue: readonly Profile[],
): readonly Placed[] {
  const known = sidecars.map((sidecar) => {
    const { container, because } = sidecar;
    const profile = findProfile(catalogue, pod, container);
    const isInjected =
      because.kind === 'InjectionStatus' ||
      because.kind === 'NotInJobTemplate' ||
      (profile?.cure?.injectedIf?.some((sign) => shows(sign, pod, container)) ?? false);
    return { ...sidecar, pod, profile, isInjected };
  });
  const injected = new Set(known.flatMap((one) => (one.isInjected ? [one.container.name] : [])));
  // The containers of the pod's own manifest: injectors add theirs before or after them.
  const own = pod.containers.map(({ name }) => name).filter((name) => !injected.has(name));
  return known.map(({ isInjected, ...one }) => ({ ...one, place: placeOf(one, isInjected, own, origin) }));
}

function placeOf(
  { container: { name }, pod }: Pick<Placed, 'container' | 'pod'>,
  isInjected: boolean,
  own: readonly string[],
  { kind, name: owner, reading }: Origin,
): Place {
  if (reading?.kind === 'Present') {
    const { containers, nativeSidecars } = reading.template;
    const index = containers.indexOf(name);
    if (index >= 0) return { kind: 'Template', index };
    return { kind: nativeSidecars.includes(name) ? 'Native' : 'Injected' };
  }
  if (isInjected) return { kind: 'Injected' };
  if (reading?.kind === 'Unreadable') return { kind: 'Unknown', problem: reading.problem.message };
  if (reading?.kind === 'Gone') return { kind: 'Unknown', problem: `${kind} ${owner} is gone` };
  if (pod.owner) return { kind: 'Unknown', problem: `the template of a ${kind} is not read` };
  return { kind: 'Template', index: own.indexOf(name) };
}

export function causesOf(sidecar: Placed, versions: ClusterVersions): readonly WhyStuck[] {
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

function whyNotNative(sidecar: Placed, versions: ClusterVersions): readonly WhyStuck[] {
  const ofAnnotations = annotationCauses(sidecar);
  if (ofAnnotations.some(({ kind }) => kind === 'SwitchOff' || kind === 'SwitchIgnored'))
    return ofAnnotations;
  const applicable = switchesFor(sidecar).filter(({ native }) => native);
  const [key] = applicable.flatMap(({ annotation }) => annotation?.key ?? []);
  const isUnset = ofAnnotations.length === 0 && key !== undefined && versionOf(sidecar) !== undefined;
  const nodes = applicable.flatMap(
    ({ kubelets }) => (kubelets && oldNodes(versions.kubelets, kubelets)) || [],
  );
  return [...ofAnnotations, ...(isUnset ? [{ kind: 'SwitchUnset', key } as const] : []), ...nodes];
}

function annotationCauses(sidecar: Placed): readonly WhyStuck[] {
  const version = versionOf(sidecar);
  const switches = (sidecar.profile?.cure?.switches ?? []).flatMap(({ native, annotation, since }) =>
    native && annotation ? [{ ...annotation, since }] : [],
  );
  // Later versions still read the annotations of earlier ones.
  const read = switches.filter(({ since }) => !version || !since || reaches(version, since));
  const keys = read.map(({ key }) => key);
  return Object.entries(sidecar.pod.annotations).flatMap(([key, value]): readonly WhyStuck[] => {
    if (keys.includes(key)) {
      const wanted = switches.findLast((one) => one.key === key)?.value;
      return value === wanted
        ? [{ kind: 'SwitchIgnored', key }]
        : [{ kind: 'SwitchOff', key, value: shortened(value) }];
    }
    // The newest comes first.
    const [meant] = keys;
    const isKnown = switches.some((one) => one.key === key);
    return isKnown && meant !== undefined ? [{ kind: 'SwitchUnread', key, meant }] : [];
  });
}

export function versionOf({ container }: Pick<Placed, 'container'>): Version | undefined {
  return versionIn(tagOf(container.image) ?? '');
}

/** The switches that this version has and this pod may use; those of every version if it is unknown. */
export function switchesFor(sidecar: Placed): readonly Switch[] {
  const { profile, pod, container } = sidecar;
  const version = versionOf(sidecar);
  const isShown = (signs: readonly Sign[] | undefined) => signs?.some((sign) => shows(sign, pod, container));
  const isReached = (bounds: readonly string[] | undefined) => bounds && version && reaches(version, bounds);
  return (profile?.cure?.switches ?? []).filter(
    ({ since, until, when, unless }) =>
      isReached(since) !== false && isReached(until) !== true && isShown(when) !== false && !isShown(unless),
  );
}
