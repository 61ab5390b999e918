import {
  annotation,
  deathDependencies,
  listKeys,
  mirrorPodKey,
  own,
  ownKeys,
  saysNo,
} from '../model/annotations.ts';
import { bounds } from '../model/bounds.ts';
import { noStatus, type PodView, willRestart } from '../model/pod.ts';
import type { Facts } from '../model/reading.ts';
import type { Checked, EndedMain, Exclusion, JudgedContainer } from '../model/verdict.ts';
import type { Policy } from '../policy/policy.ts';
import { type Millis, parseDuration } from '../util/time.ts';

/** Everything that a check may use: the pod with its containers' roles, the policy and the facts. */
export interface Subject {
  readonly pod: PodView;
  readonly mains: readonly JudgedContainer[];
  readonly sidecars: readonly JudgedContainer[];
  readonly policy: Policy;
  readonly facts: Facts;
  /** The server's time; undefined if unknown. */
  readonly now: Millis | undefined;
}

/** Pods of which nothing has ended are left out as they are listed. */
export type ExclusionKind = Exclude<Exclusion['kind'], 'NothingEnded'>;

/** Looks for one reason to leave a pod alone; returns every occurrence of it. */
type Check<K extends ExclusionKind> = (
  subject: Subject,
) => readonly Extract<Exclusion, { readonly kind: K }>[];

const tooYoung: Check<'TooYoung'> = (subject) => {
  const age = ageOf(subject);
  const minAge = minAgeOf(subject.pod, subject.policy);
  // `unreadableAnnotation` reports a min-age that cannot be read.
  if (age === undefined || minAge === undefined) return [];
  return age >= minAge ? [] : [{ kind: 'TooYoung', ageMs: age }];
};

const ageUnknown: Check<'AgeUnknown'> = (subject) => {
  const { mains } = subject;
  const haveEnded = mains.length > 0 && mains.every(({ container }) => container.state.kind === 'Terminated');
  return haveEnded && ageOf(subject) === undefined ? [{ kind: 'AgeUnknown' }] : [];
};

/** The policy's min-age does not replace one that cannot be read: it may be too short for the pod. */
const unreadableAnnotation: Check<'UnreadableAnnotation'> = ({ pod, policy }) =>
  minAgeOf(pod, policy) === undefined
    ? [
        {
          kind: 'UnreadableAnnotation',
          key: ownKeys.minAge,
          problem: 'not a duration such as 90s, 5m or 1h30m',
        },
      ]
    : [];

/** How long ago the last main ended; undefined if one has not, or a time is missing or in the future. */
function ageOf({ mains, now }: Subject): Millis | undefined {
  const endedAt = lastEnd(mains);
  return endedAt !== undefined && now !== undefined && now >= endedAt ? now - endedAt : undefined;
}

/** The min-age of a pod: its annotation takes precedence over the policy; undefined if it cannot be read. */
export function minAgeOf(pod: PodView, policy: Pick<Policy, 'minAge'>): Millis | undefined {
  const own = annotation(pod.annotations, ownKeys.minAge);
  return own === undefined ? policy.minAge : parseDuration(own.trim());
}

const systemNamespaces: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease'];

const ownPod: Check<'OwnPod'> = ({ pod, facts }) => {
  const { self } = facts;
  const isOwn = self?.namespace === pod.ref.namespace && self.name === pod.ref.name;
  return isOwn ? [{ kind: 'OwnPod' }] : [];
};

const systemNamespace: Check<'SystemNamespace'> = ({ pod, policy }) => {
  const { namespace } = pod.ref;
  const isNamed = policy.scope.namespaces.includes(namespace);
  return systemNamespaces.includes(namespace) && !isNamed ? [{ kind: 'SystemNamespace' }] : [];
};

const optedOut: Check<'OptedOut'> = ({ pod }) =>
  optsOut(pod.annotations) ? [{ kind: 'OptedOut', key: ownKeys.skip }] : [];

/** Whether the owner of a pod or a namespace wants the sweeper to leave it alone: any value that does not say no opts out. */
export function optsOut(annotations: Readonly<Record<string, string>>): boolean {
  const skip = annotation(annotations, ownKeys.skip);
  return skip !== undefined && !saysNo(skip);
}

/** The API server has only a mirror of a static pod: deleting or patching it does not affect containers. */
const staticPod: Check<'StaticPod'> = ({ pod }) => {
  const isMirror = annotation(pod.annotations, mirrorPodKey) !== undefined;
  return isMirror || pod.owner?.kind === 'Node' ? [{ kind: 'StaticPod' }] : [];
};

/** A pod that does not say so may run there all the same, by its affinity or because there are no other nodes. */
const windows: Check<'Windows'> = ({ pod, facts }) => {
  const platform = facts.platforms.get(pod.node ?? '') ?? '';
  return pod.os === 'windows' || isWindows(platform) ? [{ kind: 'Windows' }] : [];
};

/** Whether a node's platform is `windows/amd64` or the like. */
export function isWindows(platform: string): boolean {
  return platform.startsWith('windows/');
}

const noMain: Check<'NoMain'> = ({ mains }) => (mains.length === 0 ? [{ kind: 'NoMain' }] : []);

const mainRunning: Check<'MainRunning'> = ({ mains }) =>
  mains.flatMap(({ container: { name, state } }) =>
    state.kind === 'Running' ? [{ kind: 'MainRunning' as const, container: name }] : [],
  );

/** A main that is waiting still has work to do: it has not started, or is between two runs. */
const mainWaiting: Check<'MainWaiting'> = ({ mains }) =>
  mains.flatMap(({ container: { name, state } }) => {
    if (state.kind !== 'Waiting' && state.kind !== 'Unreported') return [];
    const reason = state.kind === 'Waiting' ? state.reason : noStatus;
    return [{ kind: 'MainWaiting' as const, container: name, reason }];
  });

const mainWillRestart: Check<'MainWillRestart'> = ({ mains, pod }) =>
  mains.flatMap(({ container }) => {
    const { name, state } = container;
    if (state.kind !== 'Terminated' || !willRestart(container, pod.restartPolicy, state.exitCode)) return [];
    return [{ kind: 'MainWillRestart' as const, container: name, exitCode: state.exitCode }];
  });

const namespaceNotSelected: Check<'NamespaceNotSelected'> = ({ pod, policy, facts }) => {
  const { namespace } = pod.ref;
  const isExcluded = policy.scope.excludeNamespaces?.includes(namespace) ?? false;
  const isSelected = facts.selectedNamespaces?.has(namespace) ?? true;
  return [
    ...(isExcluded ? [{ kind: 'NamespaceNotSelected', by: 'Exclusion' } as const] : []),
    ...(isSelected ? [] : [{ kind: 'NamespaceNotSelected', by: 'Selector' } as const]),
  ];
};

const namespaceOptedOut: Check<'NamespaceOptedOut'> = ({ pod, facts }) => {
  const reading = facts.namespaces.get(pod.ref.namespace);
  const isOptedOut = reading?.kind === 'Present' && optsOut(reading.annotations);
  return isOptedOut ? [{ kind: 'NamespaceOptedOut', key: ownKeys.skip }] : [];
};

/** A failed request must not sweep a namespace that has opted out. */
const namespaceUnreadable: Check<'NamespaceUnreadable'> = ({ pod, facts }) => {
  const reading = facts.namespaces.get(pod.ref.namespace);
  if (reading?.kind !== 'Unreadable') return [];
  return [{ kind: 'NamespaceUnreadable', problem: reading.problem.message }];
};

const beingDeleted: Check<'BeingDeleted'> = ({ pod }) => (pod.deleting ? [{ kind: 'BeingDeleted' }] : []);

const notRunning: Check<'NotRunning'> = ({ pod }) =>
  pod.phase === 'Running'
    ? []
    : [{ kind: 'NotRunning', phase: pod.phase, ...(pod.reason !== undefined && { reason: pod.reason }) }];

/**
 * If a kubelet stops answering, the status of its pods goes stale, and their conditions do not show it: the
 * node controller sets Ready to False, but a pod with an ended container is not Ready anyway. Only the Node
 * shows it, or the reason NodeLost, which the node controller sets on a pod when it gives up on the node.
 */
const nodeNotReady: Check<'NodeNotReady'> = ({ pod, facts }) => {
  if (pod.node === undefined) return [];
  const reason = facts.unreadyNodes.get(pod.node) ?? (pod.reason === 'NodeLost' ? pod.reason : undefined);
  return reason === undefined ? [] : [{ kind: 'NodeNotReady', node: pod.node, reason }];
};

const noSidecar: Check<'NoSidecar'> = ({ sidecars }) =>
  sidecars.length === 0 ? [{ kind: 'NoSidecar' }] : [];

const noRunningSidecar: Check<'NoRunningSidecar'> = ({ sidecars }) => {
  if (sidecars.length === 0) return [];
  const oneRuns = sidecars.some(({ container }) => container.state.kind === 'Running');
  return oneRuns ? [] : [{ kind: 'NoRunningSidecar' }];
};

/** Since Kubernetes 1.35, a restart rule can restart all containers when one of them ends, even a sidecar. */
const restartsOthers: Check<'RestartsOthers'> = ({ pod }) =>
  pod.containers.flatMap(({ name, restartRules }) => {
    const rule = restartRules.find(({ action }) => action !== 'Restart');
    return rule ? [{ kind: 'RestartsOthers' as const, container: name, action: rule.action }] : [];
  });

/** One check for each reason, in the order in which reasons are reported. */
const checks: { readonly [K in ExclusionKind]: Check<K> } = {
  OwnPod: ownPod,
  SystemNamespace: systemNamespace,
  NamespaceNotSelected: namespaceNotSelected,
  NamespaceOptedOut: namespaceOptedOut,
  NamespaceUnreadable: namespaceUnreadable,
  OptedOut: optedOut,
  UnreadableAnnotation: unreadableAnnotation,
  OverBound: ({ pod }) => overBounds(pod),
  StaticPod: staticPod,
  Windows: windows,
  NodeNotReady: nodeNotReady,
  BeingDeleted: beingDeleted,
  NotRunning: notRunning,
  RestartsOthers: restartsOthers,
  NoSidecar: noSidecar,
  NoRunningSidecar: noRunningSidecar,
  NoMain: noMain,
  MainRunning: mainRunning,
  MainWaiting: mainWaiting,
  MainWillRestart: mainWillRestart,
  TooYoung: tooYoung,
  AgeUnknown: ageUnknown,
};

const named = Object.entries(checks) as readonly [
  ExclusionKind,
  (subject: Subject) => readonly Exclusion[],
][];

/** The result of every check, passed or not. */
export function checkAll(subject: Subject): readonly Checked[] {
  return named.map(([kind, check]) => ({ kind, found: check(subject) }));
}

/** Every reason to leave a pod alone, not only the first. */
export function findExclusions(subject: Subject): readonly Exclusion[] {
  return named.flatMap(([, check]) => check(subject));
}

type OverBound = Extract<Exclusion, { readonly kind: 'OverBound' }>;

/** What a pod has more of than the sweeper reads. It is counted only as far as needed. */
export function overBounds(pod: PodView): readonly OverBound[] {
  const { containers, nativeSidecars, initContainers, annotations } = pod;
  const tooMany = (what: string, most: number): OverBound => ({ kind: 'OverBound', what, most });
  const lists = listKeys.filter((key) => hasManyNames(annotation(annotations, key)));
  const waitsForMany = containers.some(({ env }) => hasManyNames(own(env, deathDependencies)));
  const images = [...containers, ...nativeSidecars, ...initContainers].map(({ image }) => image);
  const isNamedAtLength = images.some((image) => image.length > bounds.image);
  return [
    ...(containers.length > bounds.containers ? [tooMany('containers', bounds.containers)] : []),
    ...(isNamedAtLength ? [tooMany('characters in the image of a container', bounds.image)] : []),
    ...[...lists, ...(waitsForMany ? [deathDependencies] : [])].map((list) =>
      tooMany(`names in ${list}`, bounds.names),
    ),
  ];
}

function hasManyNames(list: string | undefined): boolean {
  return list !== undefined && list.split(',', bounds.names + 1).length > bounds.names;
}

/** A main and when it ended; empty if it has not ended, or the time is missing. */
export function toEndedMain({ container, because }: JudgedContainer): readonly EndedMain[] {
  const { name, image, state } = container;
  if (state.kind !== 'Terminated' || state.finishedAt === undefined) return [];
  return [{ name, image, because, exitCode: state.exitCode, endedAt: state.finishedAt }];
}

/** When the last main ended; undefined if there are none, or one has not ended, or a time is missing. */
export function lastEnd(mains: readonly JudgedContainer[]): Millis | undefined {
  const ended = mains.flatMap(toEndedMain);
  if (ended.length === 0 || ended.length < mains.length) return undefined;
  return ended.reduce((last, { endedAt }) => Math.max(last, endedAt), -Infinity);
}
