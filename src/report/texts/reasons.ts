import type { Evidence, Exclusion, HeldReason, Remark, SkipReason } from '../../vocabulary.ts';

export function describeEvidence(evidence: Evidence): string {
  switch (evidence.kind) {
    case 'Annotation':
    case 'KillCommand':
      return evidence.key;
    case 'NotListedAsMain':
      return `not among the mains of ${evidence.key}`;
    case 'Variable':
      return `its variable ${evidence.name}`;
    case 'InjectionStatus':
      return `injected, by ${evidence.key}`;
    case 'ArgoWorkflow':
      return 'a pod of Argo Workflows';
    case 'NotInJobTemplate':
      return `injected: Job ${evidence.job} has no such container in its template`;
    case 'DefaultContainer':
      return 'kubectl.kubernetes.io/default-container';
    case 'Rule':
      return `rule ${evidence.rule}`;
    case 'Catalogue':
      return `known sidecar ${evidence.profile}`;
    case 'NoEvidence':
      return 'nothing says sidecar';
  }
}

export function describeSkip(reason: SkipReason): string {
  switch (reason.kind) {
    case 'BadKillCommand':
      return `${reason.key} is ${reason.problem}`;
    case 'CommandNotAllowed':
      return `what ${reason.key} asks for is not on the allowlist`;
    case 'NoWay':
      return 'no step is left that could work';
    case 'HostPID':
      return "a command of its own is not run where PID 1 is the node's init";
    case 'NoLongerCandidate':
      return `the pod changed: ${reason.because.map(describeExclusion).join(', ')}`;
    case 'Undecided':
      return reason.problem;
    case 'NotRunning':
      return `it waits (${reason.state})`;
  }
}

export function describeExclusion(reason: Exclusion): string {
  switch (reason.kind) {
    case 'OwnPod':
      return 'the sweeper itself runs in it';
    case 'SystemNamespace':
      return 'it is in a namespace of Kubernetes itself, which -n has not named';
    case 'OptedOut':
      return `${reason.key} asks for it`;
    case 'UnreadableAnnotation':
      return `${reason.key} is ${reason.problem}`;
    case 'StaticPod':
      return 'it is a static pod, which only its kubelet rules';
    case 'Windows':
      return 'it runs on Windows, where there are no signals';
    case 'NodeNotReady':
      return `its node ${reason.node} is not ready (${reason.reason})`;
    case 'NotRunning':
      return `its phase is ${reason.phase}`;
    case 'BeingDeleted':
      return 'it is being deleted';
    case 'NoSidecar':
      return 'it has no known sidecar';
    case 'NoMain':
      return 'all its containers are sidecars';
    case 'NoRunningSidecar':
      return 'no sidecar of it runs';
    case 'MainRunning':
      return `${reason.container} runs`;
    case 'MainWaiting':
      return `${reason.container} waits (${reason.reason})`;
    case 'MainWillRestart':
      return `${reason.container} ended with ${reason.exitCode} and will be restarted`;
    case 'RestartsOthers':
      return `when ${reason.container} ends, its restart rule (${reason.action || 'of an unknown kind'}) starts others again`;
    case 'TooYoung':
      return 'its main ended too recently';
    case 'AgeUnknown':
      return 'no believable time says when its main ended';
  }
}

export function describeRemark(remark: Remark): string {
  switch (remark.kind) {
    case 'UnknownContainer':
      return `${remark.key} names ${remark.container}, which the pod does not have`;
    case 'NamedAsBoth':
      return `${remark.container} is named as a main and as a sidecar`;
    case 'Unreadable':
      return `${remark.key} is passed over: it is ${remark.problem}`;
  }
}

export function describeHeld(reason: HeldReason): string {
  switch (reason) {
    case 'KnownUnclean':
      return 'it is known to end with another code than 0, and its Job would run again';
    case 'CanaryEndedUnclean':
      return 'the first of its image ended with another code than 0, and its Job runs again';
    case 'CanaryNotEnded':
      return 'the first of its image has not ended yet';
    case 'EarlierUnclean':
      return 'one of its image ended with another code than 0 before, and its Job ran again';
    case 'Forbidden':
      return 'its exit code is not known, and --unclean-exit=forbid takes no chance';
    case 'NoopDoesNotStart':
      return 'the no-op image did not start on the first pod';
  }
}

/** Where a reason, or a verdict that leaves a pod alone, is explained. */
export function pageOf(kind: Exclusion['kind'] | 'NeverStarted' | 'Undecided'): string {
  return `docs/reasons/${kind}.md`;
}
