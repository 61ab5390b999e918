import { methodNamed } from '../../../src/methods/index.ts';
import type { JobReaction } from '../../../src/model/job.ts';
import type { ContainerOutcome } from '../../../src/model/outcome.ts';
import type { Attempt, PodConclusion } from '../../../src/plan/sweep-event.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import type { ContainerStatus, Job, Pod, Store } from '../emulator/index.ts';
import { jobOf, overSince, statusOf } from './read-pod.ts';

/** A pod as it was before a sweep, what the sweep concluded, and when. */
export interface Concluded {
  readonly before: Pod;
  readonly conclusion: PodConclusion;
  readonly at: number;
}

export interface Compared {
  readonly outcomes: number;
  readonly unproven: number;
  readonly differences: readonly string[];
}

/** What a sweep reads is that old when it concludes: a poll, and the wait for the Job's count. Times are in seconds. */
const tolerance = 5_000;

/** Compares what was reported with what the cluster shows later; its kubelets report ends so many milliseconds late. */
export function compare(all: readonly Concluded[], store: Store, lag: number): Compared {
  const ones = all.flatMap((one) => [
    ...targetsOf(one, store, lag),
    compared(one.before.metadata.name, one.conclusion.outcome, podProblem(one, store)),
  ]);
  return {
    outcomes: ones.length,
    unproven: ones.filter(({ isProven }) => !isProven).length,
    differences: ones.flatMap(({ difference }) => difference ?? []),
  };
}

interface One {
  readonly isProven: boolean;
  readonly difference: string | undefined;
}

function targetsOf({ before, conclusion, at }: Concluded, store: Store, lag: number): readonly One[] {
  const after = sameLater(before, store);
  return conclusion.targets.map(({ container, outcome, attempts }) => {
    const problem = containerProblem(outcome, { container, before, after, at: at - lag, attempts });
    return compared(`${before.metadata.name}/${container}`, outcome, problem);
  });
}

const unprovenKinds: readonly string[] = ['Unproven', 'NotStarted', 'Unsettled'];

function compared(name: string, outcome: { readonly kind: string }, problem: string | undefined): One {
  return {
    isProven: !unprovenKinds.includes(outcome.kind),
    difference: problem && `${name} is reported ${JSON.stringify(outcome)}, but ${problem}`,
  };
}

interface Later {
  readonly container: string;
  readonly before: Pod;
  readonly after: Pod | undefined;
  /** The time of which the last statuses tell. */
  readonly at: number;
  readonly attempts: readonly Attempt[];
}

function containerProblem(outcome: ContainerOutcome, later: Later): string | undefined {
  const { container, before, after, at, attempts } = later;
  const status = after && statusOf(after, container);
  switch (outcome.kind) {
    case 'Stopped':
    case 'AlreadyEnded':
      if (!status) return undefined;
      return status.state.terminated?.exitCode === outcome.exitCode
        ? undefined
        : `its state is ${JSON.stringify(status.state)}`;
    case 'Restarted':
      if (!status || status.restartCount >= outcome.restartCount) return undefined;
      return `its restartCount is ${status.restartCount}`;
    case 'StillRunning': {
      const end = status && endOfAsked(status, statusOf(before, container)?.containerID, attempts);
      if (!end) return undefined;
      const endedAt = Date.parse(end.finishedAt);
      if (endsInTime(endedAt, attempts)) return 'it ended within the grace of a step';
      return endedAt < at - tolerance ? `it ended ${(at - endedAt) / 1_000} s before` : undefined;
    }
    case 'Gone':
      return after && 'its pod exists';
    case 'NotStarted':
    case 'Replaced':
    case 'Skipped':
    case 'NotAttempted':
    case 'Unproven':
      return undefined;
  }
}

/**
 * The end of the instance that was asked to end last; undefined if it runs. A step for the whole pod is for whichever instance
 * runs by then: after an unclean end under OnFailure, for the one that was started again.
 */
function endOfAsked(
  { state, lastState }: ContainerStatus,
  first: string | undefined,
  attempts: readonly Attempt[],
) {
  const last = attempts.at(-1);
  const { running } = state;
  const isAboutLater =
    last && methodNamed(last.step.method).ends !== 'Container' && last.result.kind !== 'Blocked';
  if (isAboutLater && running && Date.parse(running.startedAt) <= last.sentAt) return undefined;
  return [state.terminated, lastState.terminated].find((one) => first && one?.containerID === first);
}

/** Whether a container did what it was told, whenever its kubelet reports that. */
function endsInTime(endedAt: number, attempts: readonly Attempt[]): boolean {
  return attempts.some(({ step, sentAt, result }) => {
    const isDelivered = result.kind === 'Accepted' || result.kind === 'Failed';
    return isDelivered && sentAt <= endedAt && endedAt + 1_000 <= sentAt + step.grace;
  });
}

function podProblem({ before, conclusion: { outcome }, at }: Concluded, store: Store): string | undefined {
  const after = sameLater(before, store);
  switch (outcome.kind) {
    case 'Ended':
      if (after && after.status.phase !== outcome.phase) return `its phase is ${after.status.phase}`;
      return jobProblem(outcome.job, jobOf(store, before), at);
    case 'Gone':
      return after && 'it exists';
    case 'Unsettled':
    case 'Stuck':
    case 'Replaced':
    case 'Skipped':
    case 'NotAttempted':
    case 'Blocked':
    case 'Unproven':
      return undefined;
  }
}

function jobProblem(reaction: JobReaction, job: Job | undefined, at: number): string | undefined {
  const conditions = (job?.status.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`);
  const has = (type: string) => job?.status.conditions?.some((condition) => condition.type === type) ?? false;
  const shown = `its Job is ${conditions.join(', ') || 'active'}`;
  switch (reaction.kind) {
    case 'Complete':
      return has('Complete') || has('SuccessCriteriaMet') ? undefined : shown;
    case 'Failed':
      return conditions.includes(`Failed ${reaction.reason}`) ? undefined : shown;
    case 'IndexFailed':
      return job?.status.failedIndexes ? undefined : shown;
    case 'RunsAgain':
    case 'Active': {
      const over = job && overSince(job);
      return over !== undefined && over < at - tolerance
        ? `${shown}, and was ${at - over} ms before`
        : undefined;
    }
    case 'Gone':
    case 'NoJob':
      return job && shown;
    case 'Unknown':
      return undefined;
  }
}

function sameLater({ metadata }: Pod, store: Store): Pod | undefined {
  const after = store.get<Pod>('pods', metadata.namespace, metadata.name);
  return after?.metadata.uid === metadata.uid ? after : undefined;
}

/** Stuck pods that are not in the report, and what was not done without a reason. */
export function unreasoned(
  { pods, unread }: Pick<SweepReport, 'pods' | 'unread'>,
  stuck: readonly Pod[],
): readonly string[] {
  const reported = pods.map(({ uid }) => uid);
  const twice = reported.filter((uid, index) => reported.indexOf(uid) !== index);
  const missing = unread.length > 0 ? [] : stuck.filter(({ metadata }) => !reported.includes(metadata.uid));
  const silent = pods.flatMap(({ name, containers }) =>
    containers.flatMap((container) => {
      if (container.role !== 'Sidecar') return [];
      const { steps, unfit, attempts, outcome } = container;
      const isPlanned = steps.length > 0 || attempts.length > 0 || unfit.length > 0;
      const unexplained = outcome.kind === 'Skipped' && outcome.reason.kind === 'NoWay' && !isPlanned;
      const mute = unfit.some(({ detail }) => detail === '');
      const outlivedNothing =
        outcome.kind === 'StillRunning' && outcome.because.kind === 'Outlived' && attempts.length === 0;
      return unexplained || mute || outlivedNothing ? [`${name}/${container.name} has no reason`] : [];
    }),
  );
  return [
    ...twice.map((uid) => `${uid} is reported twice`),
    ...missing.map(({ metadata }) => `${metadata.name} is not reported`),
    ...silent,
  ];
}
