import type { JobReaction } from '../../src/model/job.ts';
import type {
  ContainerOutcome,
  PodOutcome,
  SkipReason,
  StillRunningBecause,
} from '../../src/model/outcome.ts';
import type { ProblemKind } from '../../src/model/reading.ts';
import type { Evidence, Exclusion, Hang } from '../../src/model/verdict.ts';
import type { Warning } from '../../src/model/warning.ts';

/** One value for every kind of a union; a missing kind does not compile. */
type OneOfEach<U extends { readonly kind: string }> = {
  readonly [K in U['kind']]: Extract<U, { readonly kind: K }>;
};

// biome-ignore format: one row a line
export const exclusions: OneOfEach<Exclusion> = {
  OwnPod: { kind: 'OwnPod' },
  SystemNamespace: { kind: 'SystemNamespace' },
  NamespaceNotSelected: { kind: 'NamespaceNotSelected', by: 'Selector' },
  NamespaceOptedOut: { kind: 'NamespaceOptedOut', key: 'sidecar-sweeper.dev/skip' },
  NamespaceUnreadable: { kind: 'NamespaceUnreadable', problem: 'namespaces "demo" is forbidden' },
  OptedOut: { kind: 'OptedOut', key: 'sidecar-sweeper.dev/skip' },
  UnreadableAnnotation: { kind: 'UnreadableAnnotation', key: 'sidecar-sweeper.dev/min-age', problem: 'not a duration' },
  OverBound: { kind: 'OverBound', what: 'containers', most: 256 },
  NothingEnded: { kind: 'NothingEnded' },
  StaticPod: { kind: 'StaticPod' },
  Windows: { kind: 'Windows' },
  NodeNotReady: { kind: 'NodeNotReady', node: 'node1', reason: 'NodeStatusUnknown' },
  NotRunning: { kind: 'NotRunning', phase: 'Pending' },
  BeingDeleted: { kind: 'BeingDeleted' },
  NoSidecar: { kind: 'NoSidecar' },
  NoMain: { kind: 'NoMain' },
  NoRunningSidecar: { kind: 'NoRunningSidecar' },
  MainRunning: { kind: 'MainRunning', container: 'work' },
  MainWaiting: { kind: 'MainWaiting', container: 'work', reason: 'CrashLoopBackOff' },
  MainWillRestart: { kind: 'MainWillRestart', container: 'work', exitCode: 7 },
  RestartsOthers: { kind: 'RestartsOthers', container: 'sidecar', action: 'RestartAllContainers' },
  TooYoung: { kind: 'TooYoung', ageMs: 1_000 },
  AgeUnknown: { kind: 'AgeUnknown' },
};

export const hangs: OneOfEach<Hang> = {
  RestartPolicyDropped: { kind: 'RestartPolicyDropped', container: 'istio-proxy', profile: 'istio' },
  StartupProbeStopped: { kind: 'StartupProbeStopped', container: 'mesh', restartCount: 1 },
  MainNotRestarted: { kind: 'MainNotRestarted', container: 'work', exitCode: 2 },
  NativeSidecarRunsOn: { kind: 'NativeSidecarRunsOn', container: 'mesh', graceMs: 600_000 },
  ProxyEndedFirst: { kind: 'ProxyEndedFirst', container: 'istio-proxy', main: 'work' },
};

// biome-ignore format: one row a line
export const skipReasons: OneOfEach<SkipReason> = {
  BadKillCommand: { kind: 'BadKillCommand', key: 'workflows.argoproj.io/kill-cmd-sidecar', problem: 'not JSON' },
  CommandNotAllowed: { kind: 'CommandNotAllowed', key: 'workflows.argoproj.io/kill-cmd-logging' },
  OverBound: { kind: 'OverBound', what: 'steps', most: 512 },
  NoWay: { kind: 'NoWay' },
  RestartsAlways: { kind: 'RestartsAlways' },
  NoLongerCandidate: { kind: 'NoLongerCandidate', because: Object.values(exclusions) },
  Undecided: { kind: 'Undecided', problem: 'container work has no status' },
  NotRunning: { kind: 'NotRunning', state: 'ImagePullBackOff' },
};

export const stillRunningBecause: OneOfEach<StillRunningBecause> = {
  Outlived: { kind: 'Outlived' },
  LastResortDue: { kind: 'LastResortDue' },
  UnderWay: { kind: 'UnderWay' },
  SwapUnderWay: { kind: 'SwapUnderWay' },
  CarriesOthers: { kind: 'CarriesOthers' },
  Blocked: { kind: 'Blocked', reason: 'UnknownEnd' },
  Refused: { kind: 'Refused', message: 'pods/exec is forbidden' },
  NoSuchProgram: { kind: 'NoSuchProgram', program: 'pilot-agent' },
  Unsupported: { kind: 'Unsupported', message: 'HTTP 404' },
  Immune: { kind: 'Immune', message: 'PID 1 has no handler for TERM' },
  Undelivered: { kind: 'Undelivered', message: 'connection refused' },
};

export const containerOutcomes: OneOfEach<ContainerOutcome> = {
  Stopped: { kind: 'Stopped', exitCode: 143 },
  AlreadyEnded: { kind: 'AlreadyEnded', exitCode: 3 },
  StillRunning: { kind: 'StillRunning', because: stillRunningBecause.Outlived },
  Restarted: { kind: 'Restarted', exitCode: 137, restartCount: 1 },
  NotStarted: { kind: 'NotStarted', reason: 'ImagePullBackOff' },
  Gone: { kind: 'Gone' },
  Replaced: { kind: 'Replaced', uid: 'uid-2' },
  Skipped: { kind: 'Skipped', reason: skipReasons.BadKillCommand },
  NotAttempted: { kind: 'NotAttempted', reason: 'Deadline' },
  Unproven: { kind: 'Unproven', problem: 'no answer' },
};

export const jobReactions: OneOfEach<JobReaction> = {
  NoJob: { kind: 'NoJob' },
  Complete: { kind: 'Complete' },
  Failed: { kind: 'Failed', reason: 'BackoffLimitExceeded' },
  IndexFailed: { kind: 'IndexFailed' },
  RunsAgain: { kind: 'RunsAgain' },
  Active: { kind: 'Active' },
  Gone: { kind: 'Gone' },
  Unknown: { kind: 'Unknown', problem: 'no answer' },
};

export const podOutcomes: OneOfEach<PodOutcome> = {
  Ended: { kind: 'Ended', phase: 'Succeeded', job: jobReactions.Complete },
  Stuck: { kind: 'Stuck' },
  Unsettled: { kind: 'Unsettled' },
  Gone: { kind: 'Gone', job: jobReactions.Complete },
  Replaced: { kind: 'Replaced', uid: 'uid-2' },
  Skipped: { kind: 'Skipped', reason: skipReasons.NoWay },
  NotAttempted: { kind: 'NotAttempted', reason: 'Signal' },
  Blocked: { kind: 'Blocked', reason: 'UnknownEnd' },
  Unproven: { kind: 'Unproven', problem: 'no answer' },
};

export const evidence: OneOfEach<Evidence> = {
  Annotation: { kind: 'Annotation', key: 'nrmitchi.com/sidecars' },
  NotListedAsMain: { kind: 'NotListedAsMain', key: 'riskified.com/main_sidecars' },
  Variable: { kind: 'Variable', name: 'KUBEXIT_DEATH_DEPS' },
  InjectionStatus: { kind: 'InjectionStatus', key: 'sidecar.istio.io/status' },
  ArgoWorkflow: { kind: 'ArgoWorkflow' },
  Platform: { kind: 'Platform', platform: 'Airflow' },
  KillCommand: { kind: 'KillCommand', key: 'workflows.argoproj.io/kill-cmd-sidecar' },
  NotInJobTemplate: { kind: 'NotInJobTemplate', job: 'work' },
  DefaultContainer: { kind: 'DefaultContainer' },
  Rule: { kind: 'Rule', rule: 'log-shippers' },
  Catalogue: { kind: 'Catalogue', profile: 'istio' },
  SwappedImage: { kind: 'SwappedImage' },
  NoEvidence: { kind: 'NoEvidence' },
};

// biome-ignore format: one row a line
export const warnings: OneOfEach<Warning> = {
  ListInconsistent: { kind: 'ListInconsistent' },
  JobsUnreadable: { kind: 'JobsUnreadable', namespaces: ['demo'], message: 'jobs.batch is forbidden' },
  InPortions: { kind: 'InPortions', pods: 12_000 },
  NodesUnreadable: { kind: 'NodesUnreadable', message: 'nodes is forbidden' },
  ServerUnverified: { kind: 'ServerUnverified', server: 'https://127.0.0.1:6443' },
  Unlocked: { kind: 'Unlocked', message: 'leases is forbidden' },
  NotRemembered: { kind: 'NotRemembered' },
  NoPermission: { kind: 'NoPermission', method: 'Http', namespaces: ['demo'], needs: 'get, create on pods/portforward' },
  Braked: { kind: 'Braked', pods: 1_200, listed: 1_500, limit: 'brakePods', most: 1_000, rule: 'log-shippers', byRule: 1_100 },
  JobHarmed: { kind: 'JobHarmed', namespace: 'demo', name: 'work-x2k9p', job: 'work', harm: 'RunsAgain' },
  JobMayBeHarmed: { kind: 'JobMayBeHarmed', namespace: 'demo', name: 'work-x2k9p', job: 'work', harm: 'JobFailed' },
  PodHarmed: { kind: 'PodHarmed', namespace: 'demo', name: 'work-x2k9p' },
  BackoffLimitRaised: { kind: 'BackoffLimitRaised', namespace: 'demo', job: 'work', from: 0, to: 2 },
};

const problemKindsOnce: Readonly<Record<ProblemKind, true>> = {
  Unreachable: true,
  TimedOut: true,
  Unauthorized: true,
  Forbidden: true,
  NotFound: true,
  Rejected: true,
  Malformed: true,
  TooLarge: true,
  Interrupted: true,
  InternalError: true,
};

export const problemKinds = Object.keys(problemKindsOnce) as readonly ProblemKind[];
