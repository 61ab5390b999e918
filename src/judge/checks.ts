import {
  deathDependencies,
  listKeys,
  mirrorPodKey,
  optsOut,
  ownKeys,
  ownValue,
} from '../model/annotations.ts';
import { bounds } from '../model/bounds.ts';
import { type ContainerView, noStatus, type PodView } from '../model/pod.ts';
import { type Facts, platformOf } from '../model/reading.ts';
import { hasEndedForGood, willRestart } from '../model/restarts.ts';
import type { Checked, Exclusion, JudgedContainer } from '../model/verdict.ts';
import type { Policy } from '../policy/policy.ts';
import { type Millis, parseDuration } from '../util/time.ts';

export interface JudgedPod {
  readonly pod: PodView;
  readonly mains: readonly JudgedContainer[];
  readonly sidecars: readonly JudgedContainer[];
  readonly policy: Policy;
  readonly facts: Facts;
  /** The server's time; undefined if unknown. */
  readonly now: Millis | undefined;
}

/** Pods of which nothing has ended are left out as they are listed. */
type ExclusionKind = Exclude<Exclusion['kind'], 'NothingEnded'>;

type ExclusionOf<K extends ExclusionKind> = Extract<Exclusion, { readonly kind: K }>;

const systemNamespaces: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease'];

/** One check for each reason to leave a pod alone, in the order in which reasons are reported. */
const checks: { readonly [K in ExclusionKind]: (judged: JudgedPod) => readonly ExclusionOf<K>[] } = {
  OwnPod: ({ pod: { ref }, facts: { self } }) =>
    when(self?.namespace === ref.namespace && self.name === ref.name, { kind: 'OwnPod' }),

  SystemNamespace({ pod, policy }) {
    const { namespace } = pod.ref;
    const { namespaces, pods } = policy.scope;
    const isNamed = namespaces.includes(namespace) || pods?.some((one) => one.namespace === namespace);
    return when(systemNamespaces.includes(namespace) && !isNamed, { kind: 'SystemNamespace' });
  },

  NamespaceNotSelected({ pod, policy, facts }) {
    const { namespace } = pod.ref;
    const isExcluded = policy.scope.excludeNamespaces?.includes(namespace) ?? false;
    const isSelected = facts.selectedNamespaces?.has(namespace) ?? true;
    return [
      ...when(isExcluded, { kind: 'NamespaceNotSelected', by: 'Exclusion' } as const),
      ...when(!isSelected, { kind: 'NamespaceNotSelected', by: 'Selector' } as const),
    ];
  },

  NamespaceOptedOut({ pod, facts }) {
    const reading = facts.namespaces.get(pod.ref.namespace);
    const isOptedOut = reading?.kind === 'Present' && optsOut(reading.annotations);
    return when(isOptedOut, { kind: 'NamespaceOptedOut', key: ownKeys.skip });
  },

  /** A failed request must not sweep a namespace that has opted out. */
  NamespaceUnreadable({ pod, facts }) {
    const reading = facts.namespaces.get(pod.ref.namespace);
    if (reading?.kind !== 'Unreadable') return [];
    return [{ kind: 'NamespaceUnreadable', problem: reading.problem.message }];
  },

  OptedOut: ({ pod }) => when(optsOut(pod.annotations), { kind: 'OptedOut', key: ownKeys.skip }),

  /** The policy's min-age does not replace one that cannot be read: it may be too short for the pod. */
  UnreadableAnnotation: ({ pod, policy }) =>
    when(minAgeOf(pod, policy) === undefined, {
      kind: 'UnreadableAnnotation',
      key: ownKeys.minAge,
      problem: 'not a duration such as 90s, 5m or 1h30m',
    }),

  OverBound: ({ pod }) => overBounds(pod),

  /** The API server has only a mirror of a static pod: deleting or patching it does not affect containers. */
  StaticPod: ({ pod }) =>
    when(Object.hasOwn(pod.annotations, mirrorPodKey) || pod.owner?.kind === 'Node', { kind: 'StaticPod' }),

  /** A pod without an `os` may run there all the same, by its affinity or because there are no other nodes. */
  Windows: ({ pod, facts }) =>
    when(pod.os === 'windows' || platformOf(facts, pod)?.startsWith('windows/') === true, {
      kind: 'Windows',
    }),

  /**
   * If a kubelet stops answering, the status of its pods goes stale, and their conditions do not show it: the
   * node controller sets Ready to False, but a pod with an ended container is not Ready anyway. Only the Node
   * shows it, or the reason NodeLost, which the node controller sets on a pod when it gives up on the node.
   */
  NodeNotReady({ pod, facts }) {
    if (pod.node === undefined) return [];
    const reading = facts.nodes.get(pod.node);
    const lost = pod.reason === 'NodeLost' ? pod.reason : undefined;
    const reason = reading?.kind === 'NotReady' ? reading.reason : lost;
    return reason === undefined ? [] : [{ kind: 'NodeNotReady', node: pod.node, reason }];
  },

  BeingDeleted: ({ pod }) => when(pod.deleting, { kind: 'BeingDeleted' }),

  NotRunning: ({ pod: { phase, reason } }) =>
    when(phase !== 'Running', { kind: 'NotRunning', phase, ...(reason !== undefined && { reason }) }),

  /** Since Kubernetes 1.35, a restart rule can restart all containers when one of them ends, even a native sidecar, which ends last. */
  RestartsOthers: ({ pod }) =>
    [...pod.containers.filter((one) => !hasEndedForGood(one, pod)), ...pod.nativeSidecars].flatMap(
      ({ name, restartRules }) => {
        const rule = restartRules.find(({ action }) => action !== 'Restart');
        return rule ? [{ kind: 'RestartsOthers', container: name, action: rule.action }] : [];
      },
    ),

  NoSidecar: ({ sidecars }) => when(sidecars.length === 0, { kind: 'NoSidecar' }),

  NoRunningSidecar({ sidecars }) {
    const oneRuns = sidecars.some(({ container }) => container.state.kind === 'Running');
    return when(sidecars.length > 0 && !oneRuns, { kind: 'NoRunningSidecar' });
  },

  NoMain: ({ mains }) => when(mains.length === 0, { kind: 'NoMain' }),

  MainRunning: ({ mains }) =>
    mains.flatMap(({ container: { name, state } }) =>
      when(state.kind === 'Running', { kind: 'MainRunning', container: name }),
    ),

  /** A main that is waiting still has work to do: it has not started, or is between two runs. */
  MainWaiting: ({ mains }) =>
    mains.flatMap(({ container: { name, state } }) => {
      if (state.kind !== 'Waiting' && state.kind !== 'Unreported') return [];
      const reason = state.kind === 'Waiting' ? state.reason : noStatus;
      return [{ kind: 'MainWaiting', container: name, reason }];
    }),

  /** Deployments and the like start another pod for one that ends, even if its main has a restart policy of its own. */
  MainWillRestart: ({ mains, pod: { restartPolicy } }) =>
    mains.flatMap(({ container }) => {
      const { name, state } = container;
      if (state.kind !== 'Terminated') return [];
      const { exitCode } = state;
      const runsAgain = restartPolicy === 'Always' || willRestart(container, restartPolicy, exitCode);
      return when(runsAgain, { kind: 'MainWillRestart', container: name, exitCode });
    }),

  TooYoung(judged) {
    // AgeUnknown reports an unknown age, and UnreadableAnnotation a min-age that cannot be read.
    const ageMs = ageOf(judged) ?? Number.POSITIVE_INFINITY;
    const minAge = minAgeOf(judged.pod, judged.policy) ?? 0;
    return when(ageMs < minAge, { kind: 'TooYoung', ageMs });
  },

  AgeUnknown(judged) {
    const { mains } = judged;
    const haveEnded = mains.every(({ container }) => container.state.kind === 'Terminated');
    return when(mains.length > 0 && haveEnded && ageOf(judged) === undefined, { kind: 'AgeUnknown' });
  },
};

const named = Object.entries(checks) as readonly [
  ExclusionKind,
  (judged: JudgedPod) => readonly Exclusion[],
][];

function when<T>(isFound: boolean, reason: T): readonly T[] {
  return isFound ? [reason] : [];
}

export function checkAll(judged: JudgedPod): readonly Checked[] {
  return named.map(([kind, check]) => ({ kind, found: check(judged) }));
}

const mainKinds = ['MainRunning', 'MainWaiting', 'MainWillRestart', 'TooYoung', 'AgeUnknown'] as const;

/** Whether there is a reason to leave a pod alone because of one main. */
export function isInTheWay(main: JudgedContainer, judged: Omit<JudgedPod, 'mains' | 'sidecars'>): boolean {
  const alone = { ...judged, mains: [main], sidecars: [] };
  return mainKinds.some((kind) => checks[kind](alone).length > 0);
}

/** The min-age of a pod: its annotation takes precedence over the policy; undefined if it cannot be read. */
export function minAgeOf(pod: PodView, policy: Pick<Policy, 'minAge'>): Millis | undefined {
  const own = ownValue(pod.annotations, ownKeys.minAge);
  return own === undefined ? policy.minAge : parseDuration(own.trim());
}

/** How long ago the last main ended; undefined if one has not, or a time is missing or in the future. */
function ageOf({ mains, now }: JudgedPod): Millis | undefined {
  const endedAt = lastEnd(mains.map(({ container }) => container)) ?? Number.POSITIVE_INFINITY;
  const age = (now ?? Number.NEGATIVE_INFINITY) - endedAt;
  return age >= 0 ? age : undefined;
}

/** When the last of these containers ended; undefined if there are none, or one has not ended, or a time is missing. */
export function lastEnd(containers: readonly Pick<ContainerView, 'state'>[]): Millis | undefined {
  let last: Millis | undefined;
  for (const { state } of containers) {
    if (state.kind !== 'Terminated' || state.finishedAt === undefined) return undefined;
    last = Math.max(last ?? -Infinity, state.finishedAt);
  }
  return last;
}

/** The parts of a pod of which there are more than the sweeper reads. They are counted only as far as needed. */
export function overBounds(pod: PodView): readonly ExclusionOf<'OverBound'>[] {
  const { containers, nativeSidecars, initContainers, annotations } = pod;
  const tooMany = (is: boolean, what: string, most: number) =>
    when(is, { kind: 'OverBound', what, most } as const);
  const images = [...containers, ...nativeSidecars, ...initContainers].map(({ image }) => image);
  const lists = listKeys.filter((key) => hasManyNames(ownValue(annotations, key)));
  const waitsForMany = containers.some(({ env }) => hasManyNames(ownValue(env, deathDependencies)));
  return [
    ...tooMany(pod.isOverBound, 'bytes of texts and lists', bounds.pod),
    ...tooMany(containers.length > bounds.containers, 'containers', bounds.containers),
    ...tooMany(
      images.some((image) => image.length > bounds.image),
      'characters in the image of a container',
      bounds.image,
    ),
    ...lists.flatMap((key) => tooMany(true, `names in ${key}`, bounds.names)),
    ...tooMany(waitsForMany, `names in ${deathDependencies}`, bounds.names),
  ];
}

function hasManyNames(list: string | undefined): boolean {
  return list !== undefined && list.split(',', bounds.names + 1).length > bounds.names;
}
