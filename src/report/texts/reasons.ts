import type { BlockedReason, SkipReason } from '../../model/outcome.ts';
import { noStatus } from '../../model/pod.ts';
import type { Evidence, Exclusion, Hang, Remark } from '../../model/verdict.ts';
import { formatDuration } from '../../util/time.ts';

export function describeEvidence(evidence: Evidence): string {
  switch (evidence.kind) {
    case 'Annotation':
    case 'KillCommand':
      return evidence.key;
    case 'NotListedAsMain':
      return `not listed as a main in ${evidence.key}`;
    case 'Variable':
      return `its variable ${evidence.name}`;
    case 'InjectionStatus':
      return `injected, according to ${evidence.key}`;
    case 'ArgoWorkflow':
      return 'a pod of Argo Workflows';
    case 'Platform':
      return `${evidence.platform} waits for it`;
    case 'NotInJobTemplate':
      return `injected: not in the template of Job ${evidence.job}`;
    case 'DefaultContainer':
      return 'kubectl.kubernetes.io/default-container';
    case 'Rule':
      return `rule ${evidence.rule}`;
    case 'Catalogue':
      return `known sidecar ${evidence.profile}`;
    case 'SwappedImage':
      return 'swapped for the no-op image';
    case 'NoEvidence':
      return 'nothing marks it as a sidecar';
  }
}

export function describeSkip(reason: SkipReason): string {
  switch (reason.kind) {
    case 'BadKillCommand':
      return `${reason.key} is ${reason.problem}`;
    case 'CommandNotAllowed':
      return `${reason.key} asks for something that is not on the allowlist`;
    case 'OverBound':
      return `its pod needs more than ${reason.most} ${reason.what}`;
    case 'NoWay':
      return 'the pod shows that no step can work';
    case 'RestartsAlways':
      return 'the kubelet restarts it however it ends; only a step that ends the pod would help (--last-resort)';
    case 'HostPID':
      return "its own kill command is not run, because PID 1 is the node's init process";
    case 'NoLongerCandidate':
      return `the pod changed: ${reason.because.map(describeExclusion).join(', ')}`;
    case 'Undecided':
      return reason.problem;
    case 'NotRunning':
      return `it is waiting (${reason.state})`;
  }
}

export function describeExclusion(reason: Exclusion): string {
  switch (reason.kind) {
    case 'OwnPod':
      return 'the sweeper itself runs in it';
    case 'SystemNamespace':
      return 'it is in a system namespace that -n does not name';
    case 'NamespaceNotSelected':
      return reason.by === 'Exclusion'
        ? 'its namespace is excluded'
        : 'the selector of namespaces does not match its namespace';
    case 'NamespaceOptedOut':
      return `its namespace has ${reason.key}`;
    case 'NamespaceUnreadable':
      return `its namespace cannot be read, and may have opted out: ${reason.problem}`;
    case 'OptedOut':
      return `it has ${reason.key}`;
    case 'UnreadableAnnotation':
      return `${reason.key} is ${reason.problem}`;
    case 'OverBound':
      return `it has more than ${reason.most} ${reason.what}`;
    case 'NothingEnded':
      return 'none of its containers has ended';
    case 'StaticPod':
      return 'it is a static pod, which only its kubelet manages';
    case 'Windows':
      return 'it runs on Windows, which has no signals';
    case 'NodeNotReady':
      return `its node ${reason.node} is not ready (${reason.reason})`;
    case 'NotRunning':
      return `its phase is ${reason.phase}${reason.reason === undefined ? '' : ` (${reason.reason})`}`;
    case 'BeingDeleted':
      return 'it is being deleted';
    case 'NoSidecar':
      return 'it has no known sidecar';
    case 'NoMain':
      return 'all its containers are sidecars';
    case 'NoRunningSidecar':
      return 'none of its sidecars is running';
    case 'MainRunning':
      return `${reason.container} is running`;
    case 'MainWaiting':
      return reason.reason === noStatus
        ? `${reason.container} has no status`
        : `${reason.container} is waiting (${reason.reason})`;
    case 'MainWillRestart':
      return `${reason.container} ended with ${reason.exitCode} and will be restarted`;
    case 'RestartsOthers':
      return `when ${reason.container} ends, its restart rule (${reason.action || 'of an unknown kind'}) restarts other containers`;
    case 'TooYoung':
      return 'its main ended too recently';
    case 'AgeUnknown':
      return 'it is unknown when its main ended';
  }
}

/** Why a pod hangs for a reason that a sweep does not cure. */
export function describeHang(hang: Hang): string {
  switch (hang.kind) {
    case 'RestartPolicyDropped': {
      const { container, job, profile } = hang;
      const meant =
        job === undefined
          ? `is the sidecar of ${profile}`
          : `is a native sidecar in the template of Job ${job}`;
      return `${container} ${meant}, but has lost its restartPolicy Always, so the mains wait for it to end`;
    }
    case 'StartupProbeStopped':
      return `the kubelet has not run the startup probe of ${hang.container} since restarting it, so the mains never start`;
    case 'MainNotRestarted':
      return `${hang.container} exited with ${hang.exitCode} and is due to be restarted, but its kubelet does not restart it`;
    case 'NativeSidecarRunsOn':
      return `${hang.container}, a native sidecar, is still running although all mains have ended; the kubelet gives it ${formatDuration(hang.graceMs)}`;
    case 'ProxyEndedFirst':
      return `its proxy ${hang.container} has ended, and ${hang.main} is still running without it`;
  }
}

export function describeRemark(remark: Remark): string {
  switch (remark.kind) {
    case 'UnknownContainer':
      return `${remark.key} names ${remark.container}, which the pod does not have`;
    case 'NamedAsBoth':
      return `${remark.container} is named both as a main and as a sidecar`;
    case 'Unreadable':
      return `${remark.key} is ignored: it is ${remark.problem}`;
    case 'LeftOut':
      return `and ${remark.remarks} more`;
  }
}

export function describeBlocked(reason: BlockedReason): string {
  switch (reason) {
    case 'KnownUnclean':
      return 'it exits with a non-zero code, which would make finished work run again or fail';
    case 'AlreadyUnclean':
      return 'another sidecar of its pod exited with a non-zero code, so that finished work would run again or fail once this one ends';
    case 'PromiseBroken':
      return 'a step is said to end it with 0, but sidecars of its namespace and image exited with a non-zero code after it';
    case 'NoRoomInJob':
      return 'its Job would count a restart or a failure, and fail at its backoffLimit';
    case 'UnknownEnd':
      return 'its exit code is unknown, and --unclean-exit=forbid allows no risk';
  }
}

/** The page that explains a reason, or a verdict that leaves a pod alone. */
export function pageOf(
  kind: Exclusion['kind'] | Hang['kind'] | 'NeverStarted' | 'NotStartedAgain' | 'Undecided',
): string {
  return `docs/reasons/${kind}.md`;
}
