import type { ContainerView, PodView } from '../../model/pod.ts';
import type { Cluster } from '../../model/ports.ts';
import type { Scope } from '../../model/scope.ts';
import type { Candidate } from '../../model/verdict.ts';
import { type Likeness, likenessOf } from '../../plan/alike.ts';
import type { Slots } from '../../util/concurrency.ts';
import type { Millis } from '../../util/time.ts';
import type { EarlierUnclean } from './guard.ts';

interface Options {
  readonly cluster: Pick<Cluster, 'listFailedPods'>;
  readonly scope: Scope;
  /** All that the sweep is about: they tell which containers are sidecars. */
  readonly candidates: readonly Candidate[];
  readonly slots: Slots;
  readonly cut: AbortSignal;
}

/**
 * How sidecars were started that have ended unclean after finished work before, as the cluster itself tells: sidecars of
 * the pods of this sweep, restarted or beside one that runs on, and failed pods of Jobs whose mains had exited 0. A failed pod is evidence against what is
 * started like it, and no more. It is read once, when the first canary is about to be sent.
 */
export function createEarlierUnclean({ cluster, scope, candidates, slots, cut }: Options): EarlierUnclean {
  const likeness = likenessOf(candidates.flatMap((one) => one.sidecars.map(({ container }) => container)));
  // At once, because the candidates are let go as the sweep proceeds.
  const sidecars = new Set(candidates.flatMap((candidate) => candidate.sidecars.map(keyOf)));
  const ended = candidates.flatMap((one) => endedUnclean(one, likeness));
  let known: Promise<ReadonlySet<string>> | undefined;
  async function read(): Promise<ReadonlySet<string>> {
    const failed = await slots(() => cluster.listFailedPods(scope.namespaces, cut));
    return new Set([...ended, ...failed.flatMap((pod) => uncleanSidecars(pod, sidecars, likeness))]);
  }
  return () => {
    known ??= read();
    return known;
  };
}

/** Those of a pod's sidecars that ended with another code than 0 after the mains had ended, and were restarted or were not. */
function endedUnclean({ sidecars, mainsEndedAt }: Candidate, likeness: Likeness): readonly string[] {
  return sidecars.flatMap(({ container }) =>
    hasEndedUnclean(container, mainsEndedAt) ? [likeness(container)] : [],
  );
}

/** Whether a sidecar ended with another code than 0 after the mains had ended, as its pod still shows. */
export function hasEndedUnclean(container: ContainerView, mainsEndedAt: Millis): boolean {
  return endsOf(container).some(({ exitCode, at }) => exitCode !== 0 && at >= mainsEndedAt);
}

function endsOf({ state, restartCount, lastExitCode = 0, lastFinishedAt = 0 }: ContainerView) {
  const last = restartCount > 0 ? [{ exitCode: lastExitCode, at: lastFinishedAt }] : [];
  if (state.kind !== 'Terminated') return last;
  return [...last, { exitCode: state.exitCode, at: state.finishedAt ?? 0 }];
}

/**
 * The sidecars that failed a pod although all else in it had exited 0 before. A container is a sidecar there if one of its name
 * and image is one in a pod of this sweep.
 */
function uncleanSidecars(
  { containers }: PodView,
  known: ReadonlySet<string>,
  likeness: Likeness,
): readonly string[] {
  const ended = containers.flatMap((container) =>
    container.state.kind === 'Terminated'
      ? [{ ...container.state, container, isSidecar: known.has(keyOf({ container })) }]
      : [],
  );
  const mains = ended.filter(({ isSidecar }) => !isSidecar);
  const isDone = mains.length > 0 && mains.every(({ exitCode }) => exitCode === 0);
  if (!isDone || ended.length < containers.length) return [];
  const mainsEndedAt = Math.max(...mains.map(({ finishedAt = 0 }) => finishedAt));
  return ended.flatMap(({ isSidecar, exitCode, finishedAt = 0, container }) =>
    isSidecar && exitCode !== 0 && finishedAt >= mainsEndedAt ? [likeness(container)] : [],
  );
}

function keyOf({ container }: { readonly container: { readonly name: string; readonly image: string } }) {
  return `${container.name} ${container.image}`;
}
