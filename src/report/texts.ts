import type {
  ContainerOutcome,
  Evidence,
  Exclusion,
  JobReaction,
  NotAttemptedReason,
  PodOutcome,
  Problem,
  Remark,
  SkipReason,
  Warning,
} from '../types.ts';

/** The product's prose: one sentence or less for every kind, so that log, table and error lines say the same. */

export function describeProblem(problem: Problem, namespace: string | undefined): string {
  const where = namespace === undefined ? 'in all namespaces' : `in namespace ${namespace}`;
  return `cannot list pods ${where}: ${problem.message}${problemAdvice[problem.kind]}`;
}

const problemAdvice: Record<Problem['kind'], string> = {
  Unreachable: '',
  TimedOut: '',
  Unauthorized: '; log in again, or choose another context with --context',
  Forbidden: '; grant get and list on pods, or name namespaces that you may read with -n',
  NotFound: '',
  Rejected: '',
  Malformed: '',
  Interrupted: '',
};

export function describeContainer(outcome: ContainerOutcome): string {
  switch (outcome.kind) {
    case 'Stopped':
      return `stopped, exit code ${outcome.exitCode}`;
    case 'AlreadyEnded':
      return `had ended, exit code ${outcome.exitCode}`;
    case 'StillRunning':
      return 'still running';
    case 'Restarted':
      return `restarted by the kubelet${outcome.exitCode === undefined ? '' : ` after exit code ${outcome.exitCode}`}`;
    case 'Gone':
      return 'gone with its pod';
    case 'Replaced':
      return 'its pod was replaced';
    case 'Refused':
      return `refused: ${outcome.message}`;
    case 'NoShell':
      return `no shell: the image has no ${outcome.program}`;
    case 'NoSuchProgram':
      return `the image has no ${outcome.program}`;
    case 'Undelivered':
      return `not reached: ${outcome.message}`;
    case 'Skipped':
      return `skipped: ${describeSkip(outcome.reason)}`;
    case 'NotAttempted':
      return describeNotAttempted(outcome.reason);
    case 'Unproven':
      return `unproven: ${outcome.problem}`;
  }
}

export function describePod(outcome: PodOutcome): string {
  switch (outcome.kind) {
    case 'Ended':
      return outcome.phase;
    case 'Stuck':
      return 'still stuck';
    case 'Unsettled':
      return 'ended, phase not yet set';
    case 'Gone':
      return 'gone';
    case 'Replaced':
      return 'replaced';
    case 'Skipped':
      return 'skipped';
    case 'NotAttempted':
      return describeNotAttempted(outcome.reason);
    case 'Unproven':
      return 'unproven';
  }
}

export function describeJob(job: JobReaction): string {
  switch (job.kind) {
    case 'NoJob':
      return '';
    case 'Complete':
      return 'Complete';
    case 'Failed':
      return `Failed (${job.reason})`;
    case 'RunsAgain':
      return 'runs again';
    case 'Active':
      return 'active';
    case 'Gone':
      return 'gone';
    case 'Unknown':
      return 'unknown';
  }
}

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
    case 'SharedProcessNamespace':
      return 'the pod shares one process namespace, where PID 1 is not the sidecar';
    case 'HostPID':
      return "the pod sees the node's processes, where PID 1 is the node's init";
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

export function describeWarning(warning: Warning): string {
  switch (warning.kind) {
    case 'ListInconsistent':
      return 'the list of pods expired on the way: what changed meanwhile may be missing from it';
    case 'Unlocked':
      return `another sweep may run at the same time: ${warning.message}; grant get, create and update on leases there, or say --no-lock`;
    case 'JobsUnreadable':
      return `Jobs cannot be read in ${warning.namespaces.join(', ')}, so which containers were injected and what Jobs did is unknown: ${warning.message}; it takes get on jobs`;
    case 'NodesUnreadable':
      return `nodes cannot be read, so pods on nodes that are not ready are not told from others: ${warning.message}; it takes get on nodes`;
    case 'FinishedWorkRunsAgain':
      return `${warning.namespace}/${warning.name}: its mains had succeeded, but a sidecar did not end with 0, so its Job runs again`;
  }
}

function describeNotAttempted(reason: NotAttemptedReason): string {
  switch (reason) {
    case 'DryRun':
      return 'dry run';
    case 'InternalError':
      return 'not attempted: the sweep broke off';
    case 'Deadline':
      return 'not attempted: --deadline was reached';
    case 'LockLost':
      return 'not attempted: another sweep may have taken over';
    case 'Signal':
      return 'not attempted: the sweep was interrupted';
  }
}
