import type { Cluster, Slots } from '../../ports.ts';
import type { Candidate, PodView, Scope } from '../../vocabulary.ts';
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
 * Which images have ended unclean after finished work before, as the cluster itself tells: sidecars that were restarted after the
 * mains had ended, and failed pods of Jobs whose mains had exited 0. No sweep keeps notes of its own. It is read once, when the
 * first canary is about to be sent.
 */
export function createEarlierUnclean({ cluster, scope, candidates, slots, cut }: Options): EarlierUnclean {
  let images: Promise<ReadonlySet<string>> | undefined;
  async function read(): Promise<ReadonlySet<string>> {
    const failed = await slots(() => cluster.listFailedPods(scope.namespaces, cut));
    const sidecars = new Set(candidates.flatMap((candidate) => candidate.sidecars.map(keyOf)));
    return new Set([
      ...candidates.flatMap(restartedSidecars),
      ...failed.flatMap((pod) => uncleanSidecars(pod, sidecars)),
    ]);
  }
  return () => {
    images ??= read();
    return images;
  };
}

/** Images of a pod's sidecars that ended with another code than 0 after the mains had ended, and were restarted. */
function restartedSidecars({ sidecars, mainsEndedAt }: Candidate): readonly string[] {
  const restarted = sidecars.filter(
    ({ container: { restartCount, lastExitCode = 0, lastFinishedAt = 0 } }) =>
      restartCount > 0 && lastExitCode !== 0 && lastFinishedAt >= mainsEndedAt,
  );
  return restarted.map(({ container }) => container.image);
}

/**
 * Images of the sidecars that failed a pod although all else in it had exited 0 before. A container is a sidecar there if one of
 * its name and image is one in a pod of this sweep.
 */
function uncleanSidecars({ containers }: PodView, known: ReadonlySet<string>): readonly string[] {
  const ended = containers.flatMap((container) =>
    container.state.kind === 'Terminated'
      ? [{ ...container.state, image: container.image, isSidecar: known.has(keyOf({ container })) }]
      : [],
  );
  const mains = ended.filter(({ isSidecar }) => !isSidecar);
  const isDone = mains.length > 0 && mains.every(({ exitCode }) => exitCode === 0);
  if (!isDone || ended.length < containers.length) return [];
  const mainsEndedAt = Math.max(...mains.map(({ finishedAt = 0 }) => finishedAt));
  return ended.flatMap(({ isSidecar, exitCode, finishedAt = 0, image }) =>
    isSidecar && exitCode !== 0 && finishedAt >= mainsEndedAt ? [image] : [],
  );
}

function keyOf({ container }: { readonly container: { readonly name: string; readonly image: string } }) {
  return `${container.name} ${container.image}`;
}
