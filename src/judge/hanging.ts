import type { Exclusion } from '../vocabulary/exclusion.ts';
import { minAgeOf } from './checks/age.ts';
import type { Subject } from './checks/subject.ts';
import type { FoundHang, HangCheck } from './hangs/hang-check.ts';
import { mainNotRestarted } from './hangs/main-not-restarted.ts';
import { nativeSidecarRunsOn } from './hangs/native-sidecar-runs-on.ts';
import { proxyEndedFirst } from './hangs/proxy-ended-first.ts';
import { restartPolicyDropped } from './hangs/restart-policy-dropped.ts';
import { startupProbeStopped } from './hangs/startup-probe-stopped.ts';

/** No two of them can be true of one pod. */
const hangs: readonly HangCheck[] = [
  restartPolicyDropped,
  startupProbeStopped,
  mainNotRestarted,
  proxyEndedFirst,
  nativeSidecarRunsOn,
];

/** What a pod that is left alone for these reasons hangs on; undefined if nothing of the kind is known, or its owner wants peace. */
export function findHang(subject: Subject, because: readonly Exclusion[]): FoundHang | undefined {
  const { now } = subject;
  const minAge = minAgeOf(subject.pod, subject.policy);
  if (now === undefined || minAge === undefined) return undefined;
  for (const { entails, find } of hangs) {
    const isAlone = because.every(({ kind }) => kind !== 'NothingEnded' && entails.includes(kind));
    const found = isAlone ? find(subject, now, minAge) : undefined;
    if (found) return found;
  }
  return undefined;
}
