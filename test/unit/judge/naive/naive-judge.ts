import { naiveChecks } from './naive-checks.ts';
import { naiveHang } from './naive-hang.ts';
import { naiveRemarks } from './naive-remarks.ts';
import { type Given, naiveRole } from './naive-roles.ts';
import { stateOf } from './naive-state.ts';

/** A verdict as text, in arbitrary order. */
export interface NaiveVerdict {
  readonly kind: string;
  readonly details: readonly string[];
}

/**
 * A second, simple implementation of the rules, written from their description and without code from the
 * product. A mistake is unlikely to be in both.
 */
export function naiveJudge(given: Given): NaiveVerdict {
  const { pod } = given;
  if (!statusesAddUp(given)) return { kind: 'Undecided', details: [] };
  const roles = pod.spec.containers.map((container) => ({ container, ...naiveRole(container, given) }));
  const mains = roles.filter(({ role }) => role === 'Main').map(({ container }) => container);
  const sidecars = roles.filter(({ role }) => role === 'Sidecar').map(({ container }) => container);
  const found = naiveChecks(mains, sidecars, given);
  const remarks = naiveRemarks(pod).map((remark) => `remark ${remark}`);
  const told = [...roles.map(({ container, role, why }) => `${container.name} ${role} ${why}`), ...remarks];
  if (found.length === 0) return { kind: 'Candidate', details: told };
  const unstarted = sidecars.some(({ name }) => stateOf(pod, name).is === 'waiting');
  const onlyUnstarted = found.every((one) => one.startsWith('NotRunning ') || one === 'NoRunningSidecar');
  if (given.includePending && pod.status.phase === 'Pending' && unstarted && onlyUnstarted) {
    return { kind: 'NeverStarted', details: told };
  }
  const lacksImage = sidecars.some(({ name }) =>
    pod.status.containerStatuses?.some(
      (one) => one.name === name && one.state.waiting?.reason === 'ImagePullBackOff',
    ),
  );
  if (lacksImage && found.every((one) => one === 'NoRunningSidecar')) {
    return { kind: 'NotStartedAgain', details: told };
  }
  const hang = naiveHang(mains, sidecars, found, given);
  if (hang !== undefined) return { kind: 'Hanging', details: [hang, ...told] };
  return { kind: 'Excluded', details: [...found, ...told] };
}

function statusesAddUp({ pod }: Given): boolean {
  const names = pod.spec.containers.map(({ name }) => name).sort();
  const reported = (pod.status.containerStatuses ?? []).map(({ name }) => name).sort();
  if (pod.status.phase === 'Pending' && reported.length === 0) return true;
  return new Set(names).size === names.length && names.join() === reported.join();
}
