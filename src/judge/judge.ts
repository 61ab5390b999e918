import type {
  ContainerView,
  EndedMain,
  Exclusion,
  JudgedContainer,
  Millis,
  PodView,
  Policy,
  Sidecar,
  Verdict,
} from '../types.ts';
import { willRestart } from './restart.ts';
import { assignRoles } from './roles.ts';

/**
 * Whether only sidecars keep a pod from ending: a pure function of the pod, the policy and the server's time.
 * Every reason against is given, not the first.
 */
export function judge(pod: PodView, policy: Policy, now: Millis): Verdict {
  const [problem] = pod.statusProblems;
  if (problem !== undefined) return { kind: 'Undecided', pod, problem };

  const judged = assignRoles(pod, policy.catalogue);
  const mains = judged.filter(({ role }) => role === 'Main');
  const sidecars = judged.filter(({ role }) => role === 'Sidecar');
  const because = [
    ...aboutThePod(pod),
    ...aboutSidecars(sidecars),
    ...aboutMains(pod, mains),
    ...aboutAge(mains, policy.minAge, now),
  ];
  if (because.length > 0) return { kind: 'Excluded', pod, because };
  const ended = mains.flatMap(toEndedMain);
  const mainsEndedAt = Math.max(...ended.map(({ endedAt }) => endedAt));
  return { kind: 'Candidate', pod, mains: ended, sidecars, mainsEndedAt };
}

function aboutThePod(pod: PodView): readonly Exclusion[] {
  const because: Exclusion[] = [];
  if (pod.phase !== 'Running') because.push({ kind: 'NotRunning', phase: pod.phase });
  if (pod.deleting) because.push({ kind: 'BeingDeleted' });
  for (const { name, restartRules } of pod.containers) {
    const rule = restartRules.find(({ action }) => action !== 'Restart');
    if (rule) because.push({ kind: 'RestartsOthers', container: name, action: rule.action });
  }
  return because;
}

function aboutSidecars(sidecars: readonly Sidecar[]): readonly Exclusion[] {
  if (sidecars.length === 0) return [{ kind: 'NoSidecar' }];
  const oneRuns = sidecars.some(({ container }) => container.state.kind === 'Running');
  return oneRuns ? [] : [{ kind: 'NoRunningSidecar' }];
}

function aboutMains(pod: PodView, mains: readonly JudgedContainer[]): readonly Exclusion[] {
  if (mains.length === 0) return [{ kind: 'NoMain' }];
  return mains.flatMap(({ container }) => aboutMain(pod, container) ?? []);
}

/** Why a main is not done for good. */
function aboutMain(pod: PodView, container: ContainerView): Exclusion | undefined {
  const { name, state } = container;
  switch (state.kind) {
    case 'Running':
      return { kind: 'MainRunning', container: name };
    case 'Waiting':
      return { kind: 'MainWaiting', container: name, reason: state.reason };
    case 'Unreported':
      return { kind: 'MainWaiting', container: name, reason: 'no status' };
    case 'Terminated':
      return willRestart(container, pod.restartPolicy, state.exitCode)
        ? { kind: 'MainWillRestart', container: name, exitCode: state.exitCode }
        : undefined;
  }
}

/** How long ago the last main ended; says nothing while one has not. */
function aboutAge(mains: readonly JudgedContainer[], minAge: Millis, now: Millis): readonly Exclusion[] {
  if (mains.length === 0 || mains.some(({ container }) => container.state.kind !== 'Terminated')) return [];
  const ended = mains.flatMap(toEndedMain);
  const age = now - Math.max(...ended.map(({ endedAt }) => endedAt));
  // Written so that neither an unreadable time (a main is missing here, or NaN) nor a future one passes.
  if (ended.length < mains.length || !(age >= 0)) return [{ kind: 'AgeUnknown' }];
  return age >= minAge ? [] : [{ kind: 'TooYoung', ageMs: age }];
}

/** One main with the time it ended at; none when it has not ended or does not say when. */
function toEndedMain({ container, because }: JudgedContainer): readonly EndedMain[] {
  const { name, image, state } = container;
  if (state.kind !== 'Terminated' || state.finishedAt === undefined) return [];
  return [{ name, image, because, exitCode: state.exitCode, endedAt: state.finishedAt }];
}
