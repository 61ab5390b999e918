import { readFileSync } from 'node:fs';
import type { BlockedReason, SkipReason, StillRunningBecause } from '../../model/outcome.ts';
import { noStatus } from '../../model/pod.ts';
import type { Unfit } from '../../model/step.ts';
import type { Evidence, Exclusion, Hang, Remark } from '../../model/verdict.ts';
import { sentences } from '../../util/text.ts';
import { formatDuration } from '../../util/time.ts';

/** The names of reasons in reports: docs/reasons.md has a section for each. */
export type ReasonName =
  | Exclusion['kind']
  | Hang['kind']
  | BlockedReason
  | StillRunningBecause['kind']
  | SkipReason['kind']
  | Unfit['reason']
  | 'NeverStarted'
  | 'NotStartedAgain'
  | 'Undecided'
  | 'NotStarted'
  | 'Unproven'
  | 'Braked'
  | 'Harm';

declare const __REASONS__: string;

/** docs/reasons.md, which the build puts into the bundle. */
const page =
  typeof __REASONS__ === 'undefined'
    ? readFileSync(new URL('../../../docs/reasons.md', import.meta.url), 'utf8')
    : __REASONS__;

/** By name; without a cure if there is nothing to do. */
export const reasonPages = new Map(
  [...page.matchAll(/^### (.+)\n\n\*\*(.+)\.\*\* (.+)(?:\n\n\*What to do:\* (.+))?$/gm)].map(
    ([, name = '', title = '', text = '', cure]) => {
      const lowered = title.charAt(0).toLowerCase() + title.slice(1);
      return [name, { title: lowered, text: asPlain(text), cure: cure && asPlain(cure) }] as const;
    },
  ),
);

/** Without the escapes of Markdown. */
function asPlain(text: string): string {
  return text.replace(/\\([<*])/g, '$1');
}

export const describeEvidence = sentences<Evidence>({
  Annotation: (evidence) => evidence.key,
  KillCommand: (evidence) => evidence.key,
  NotListedAsMain: (evidence) => `not listed as a main in ${evidence.key}`,
  Variable: (evidence) => `its variable ${evidence.name}`,
  InjectionStatus: (evidence) => `injected, according to ${evidence.key}`,
  ArgoWorkflow: 'a pod of Argo Workflows',
  Platform: (evidence) =>
    evidence.platform === 'Katib'
      ? 'it reports the metrics of a trial of Katib when all other processes of the pod have ended, those of a mesh included; ' +
        'for it to wait for the training alone, set waitAllProcesses: false in katib-config, or keep the mesh out of the pod'
      : `${evidence.platform} waits for it`,
  NotInJobTemplate: (evidence) => `injected: not in the template of Job ${evidence.job}`,
  DefaultContainer: 'kubectl.kubernetes.io/default-container',
  Rule: (evidence) => `rule ${evidence.rule}`,
  Catalogue: (evidence) => `known sidecar ${evidence.profile}`,
  SwappedImage: 'swapped for the no-op image',
  NoEvidence: 'nothing marks it as a sidecar',
});

export const describeSkip = sentences<SkipReason>({
  BadKillCommand: (reason) => `${reason.key} is ${reason.problem}`,
  CommandNotAllowed: (reason) => `${reason.key} asks for something that is not on the allowlist`,
  OverBound: (reason) => `its pod needs more than ${reason.most} ${reason.what}`,
  NoWay: 'the pod shows that no step can work',
  RestartsAlways:
    'the kubelet restarts it even if it exits with 0; only a step that ends the pod would help (--last-resort)',
  NoLongerCandidate: (reason) => `the pod changed: ${reason.because.map(describeExclusion).join(', ')}`,
  Undecided: (reason) => reason.problem,
  NotRunning: (reason) => `it is not running (${reason.state})`,
});

export const describeExclusion = sentences<Exclusion>({
  OwnPod: 'the sweeper itself runs in it',
  SystemNamespace: 'it is in a system namespace: only a sweep that names the namespace or the pod acts there',
  NamespaceNotSelected: (reason) =>
    reason.by === 'Exclusion'
      ? 'its namespace is excluded'
      : 'the selector of namespaces does not match its namespace',
  NamespaceOptedOut: (reason) => `its namespace has ${reason.key}`,
  NamespaceUnreadable: (reason) => `its namespace cannot be read, and may have opted out: ${reason.problem}`,
  OptedOut: (reason) => `it has ${reason.key}`,
  UnreadableAnnotation: (reason) => `${reason.key} is ${reason.problem}`,
  OverBound: (reason) => `it has more than ${reason.most} ${reason.what}`,
  NothingEnded: 'none of its containers has ended',
  StaticPod: 'it is a static pod, which only its kubelet manages',
  Windows: 'it runs on Windows, which has no signals',
  NodeNotReady: (reason) => `its node ${reason.node} is not ready (${reason.reason})`,
  NotRunning: (reason) =>
    `its phase is ${reason.phase}${reason.reason === undefined ? '' : ` (${reason.reason})`}`,
  BeingDeleted: 'it is being deleted',
  NoSidecar: 'it has no known sidecar',
  NoMain: 'all its containers are sidecars',
  NoRunningSidecar: 'none of its sidecars is running',
  MainRunning: (reason) => `${reason.container} is running`,
  MainWaiting: (reason) =>
    reason.reason === noStatus
      ? `${reason.container} has no status`
      : `${reason.container} is waiting (${reason.reason})`,
  MainWillRestart: (reason) => `${reason.container} ended with ${reason.exitCode} and will be restarted`,
  RestartsOthers: (reason) =>
    `when ${reason.container} ends, its restart rule (${reason.action || 'of an unknown kind'}) restarts other containers`,
  TooYoung: 'its main ended too recently',
  AgeUnknown: 'it is unknown when its main ended',
});

/** Why pods were left alone, after their number: how many for each reason, the most frequent first. */
export function describeReasons(counts: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  const each = reasons.map(([kind, pods]) => {
    const because = `because ${reasonPages.get(kind)?.title ?? 'of another reason'} (${kind})`;
    return reasons.length > 1 ? `${pods} ${because}` : because;
  });
  return `${reasons.length > 1 ? ': ' : ', '}${each.join(', ')}`;
}

export const describeHang = sentences<Hang>({
  RestartPolicyDropped: ({ container, job, profile }) => {
    const meant =
      job === undefined
        ? `is the sidecar of ${profile}`
        : `is a native sidecar in the template of Job ${job}`;
    return `${container} ${meant}, but has lost its restartPolicy Always, so the mains wait for it to end`;
  },
  StartupProbeStopped: (hang) =>
    `the kubelet has not run the startup probe of ${hang.container} since restarting it, so the mains never start`,
  MainNotRestarted: (hang) =>
    `${hang.container} exited with ${hang.exitCode} and is due to be restarted, but its kubelet does not restart it`,
  NativeSidecarRunsOn: (hang) =>
    `${hang.container}, a native sidecar, is still running although all mains have ended; the kubelet gives it ${formatDuration(hang.graceMs)}`,
  ProxyEndedFirst: (hang) =>
    `its proxy ${hang.container} has ended, and ${hang.main} is still running without it`,
});

type Found =
  | { readonly kind: 'Candidate' | 'NeverStarted' | 'NotStartedAgain' }
  | { readonly kind: 'Hanging'; readonly hang: Hang }
  | { readonly kind: 'Excluded'; readonly because: readonly Exclusion[] }
  | { readonly kind: 'Undecided'; readonly problem: string };

export const describeVerdict = sentences<Found>({
  Candidate: 'stuck',
  NeverStarted: 'stuck on a sidecar that never started',
  NotStartedAgain: 'stuck on a sidecar that ended and cannot start again',
  Hanging: ({ hang }) => `hanging: ${describeHang(hang)}`,
  Excluded: ({ because }) => `left alone: ${because.map(describeExclusion).join('; ')}`,
  Undecided: ({ problem }) => `cannot be judged: ${problem}`,
});

export const describeRemark = sentences<Remark>({
  UnknownContainer: (remark) => `${remark.key} names ${remark.container}, which the pod does not have`,
  NamedAsBoth: (remark) => `${remark.container} is named both as a main and as a sidecar`,
  Unreadable: (remark) => `${remark.key} is ignored: it is ${remark.problem}`,
});

export function blockedBecause(reason: BlockedReason): string {
  return reasonPages.get(reason)?.title ?? reason;
}

/** The command that explains a reason, wherever its reader is. */
export function pageOf(kind: ReasonName): string {
  return `explain --reason ${kind}`;
}
