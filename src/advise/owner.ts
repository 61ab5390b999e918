import type { Millis } from '../duration.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Candidate } from '../model/verdict.ts';
import type { Profile } from '../policy/profile.ts';
import type { CureAdvice, WhyStuck } from './advice.ts';
import { throwPlainSwitches, throwSwitches } from './inject.ts';
import { moveToInit, whereOf } from './move.ts';
import { beforeNative, type ClusterVersions } from './native.ts';
import type { Origin, StuckPods } from './origin.ts';
import { type Placed, placed } from './place.ts';
import { tagOf } from './version.ts';
import { whyStuck } from './why.ts';

/** What to do so that no pods of one owner get stuck again. */
export interface OwnerAdvice {
  readonly origin: Origin;
  readonly candidates: readonly Candidate[];
  readonly stuckSince: Millis;
  readonly sidecars: readonly AdvisedSidecar[];
  readonly cures: readonly CureAdvice[];
}

interface AdvisedSidecar {
  readonly name: string;
  readonly image: string;
  /** As its image's tag has it. */
  readonly tag: string | undefined;
  readonly because: Evidence;
  readonly profile: string | undefined;
  readonly why: readonly WhyStuck[];
}

/** Each sidecar is advised on once, by the first of the pods that has it. */
export function adviseOwner(
  { origin, candidates }: StuckPods,
  versions: ClusterVersions,
  catalogue: readonly Profile[],
): OwnerAdvice {
  const byName = new Map<string, Placed>();
  for (const candidate of candidates) {
    for (const sidecar of placed(candidate, origin, catalogue)) {
      const { name } = sidecar.container;
      if (!byName.has(name)) byName.set(name, sidecar);
    }
  }
  const sidecars = [...byName.values()];
  return {
    origin,
    candidates,
    stuckSince: Math.min(...candidates.map(({ mainsEndedAt }) => mainsEndedAt)),
    sidecars: sidecars.map((sidecar) => adviseSidecar(sidecar, versions)),
    cures: curesOf(origin, sidecars, versions),
  };
}

function adviseSidecar(sidecar: Placed, versions: ClusterVersions): AdvisedSidecar {
  const { name, image } = sidecar.container;
  const { because, profile } = sidecar;
  return {
    name,
    image,
    tag: tagOf(image),
    because,
    profile: profile?.name,
    why: whyStuck(sidecar, versions),
  };
}

function curesOf(
  origin: Origin,
  sidecars: readonly Placed[],
  versions: ClusterVersions,
): readonly CureAdvice[] {
  const of = (kind: Placed['place']['kind']) => sidecars.filter(({ place }) => place.kind === kind);
  const injected = of('Injected');
  const own = of('Template');
  const isBlocked = beforeNative(versions).length > 0;
  return [
    ...(own.length > 0 ? [moveToInit(origin, own, injected.length > 0, versions)] : []),
    ...(isBlocked ? own.flatMap((one) => throwPlainSwitches(origin, one, versions)) : []),
    ...injected.flatMap((one) => throwSwitches(origin, one, versions)),
    ...of('Unknown').map((one) => lookYourself(origin, one, versions)),
  ];
}

/** Whether the template has the sidecar, or an injector adds it, is for its owner to see. */
function lookYourself(origin: Origin, { container, place }: Placed, versions: ClusterVersions): CureAdvice {
  const problem = place.kind === 'Unknown' ? place.problem : '';
  return {
    containers: [container.name],
    does: `if it is there, move ${container.name} from containers to initContainers, with restartPolicy: Always, ${whereOf(origin)}`,
    changes: 'as a native sidecar, the kubelet ends it after the main containers',
    first: [`see whether that template has it (${problem})`, ...beforeNative(versions)],
    source: 'kubernetes/enhancements#753',
  };
}
