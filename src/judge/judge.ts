import type {
  ContainerView,
  Exclusion,
  JudgedContainer,
  Millis,
  PodView,
  Policy,
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

  const containers = assignRoles(pod, policy.catalogue);
  const mainsEndedAt = lastEnd(containers);
  const because = [
    ...aboutThePod(pod),
    ...aboutSidecars(containers),
    ...aboutMains(pod, containers),
    ...aboutAge(containers, mainsEndedAt, policy.minAge, now),
  ];
  if (because.length > 0 || mainsEndedAt === undefined) return { kind: 'Excluded', pod, because };
  return { kind: 'Candidate', pod, containers, mainsEndedAt };
}

function aboutThePod(pod: PodView): readonly Exclusion[] {
  const because: Exclusion[] = [];
  if (pod.phase !== 'Running') because.push({ kind: 'NotRunning', phase: pod.phase });
  if (pod.deleting) because.push({ kind: 'BeingDeleted' });
  return because;
}

function aboutSidecars(containers: readonly JudgedContainer[]): readonly Exclusion[] {
  const sidecars = containers.filter(({ role }) => role === 'Sidecar');
  if (sidecars.length === 0) return [{ kind: 'NoSidecar' }];
  if (!sidecars.some(({ container }) => container.state.kind === 'Running')) {
    return [{ kind: 'NoRunningSidecar' }];
  }
  return [];
}

function aboutMains(pod: PodView, containers: readonly JudgedContainer[]): readonly Exclusion[] {
  const mains = containers.filter(({ role }) => role === 'Main');
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

function aboutAge(
  containers: readonly JudgedContainer[],
  mainsEndedAt: Millis | undefined,
  minAge: Millis,
  now: Millis,
): readonly Exclusion[] {
  if (!containers.some(({ role, container }) => role === 'Main' && container.state.kind === 'Terminated')) {
    return [];
  }
  const age = now - (mainsEndedAt ?? Number.NaN);
  // Written so that neither NaN (an unreadable time) nor a future one passes.
  if (!(age >= 0)) return [{ kind: 'AgeUnknown' }];
  return age >= minAge ? [] : [{ kind: 'TooYoung', ageMs: age }];
}

/** When the last main ended; undefined while one has not, or when one does not say when. */
function lastEnd(containers: readonly JudgedContainer[]): Millis | undefined {
  let last: Millis | undefined;
  for (const { role, container } of containers) {
    if (role !== 'Main') continue;
    const ended = container.state.kind === 'Terminated' ? container.state.finishedAt : undefined;
    if (ended === undefined) return undefined;
    last = Math.max(last ?? ended, ended);
  }
  return last;
}
