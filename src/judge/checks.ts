import { overBounds } from '../pod/over-bound.ts';
import type { Exclusion } from '../vocabulary/exclusion.ts';
import type { Checked } from '../vocabulary/explanation.ts';
import { ageUnknown, tooYoung, unreadableAnnotation } from './checks/age.ts';
import { optedOut, ownPod, staticPod, systemNamespace, windows } from './checks/exempt.ts';
import { mainRunning, mainWaiting, mainWillRestart, noMain } from './checks/mains.ts';
import { namespaceNotSelected, namespaceOptedOut, namespaceUnreadable } from './checks/namespace.ts';
import { beingDeleted, nodeNotReady, notRunning } from './checks/pod-state.ts';
import { noRunningSidecar, noSidecar, restartsOthers } from './checks/sidecars.ts';
import type { Check, ExclusionKind, Subject } from './checks/subject.ts';

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
