import { cannotStart } from '../pod/before-swap.ts';
import { noopImages } from '../policy/noop-images.ts';
import type { Policy } from '../policy/policy.ts';
import type { ContainerView } from '../vocabulary/container.ts';
import type { Exclusion } from '../vocabulary/exclusion.ts';
import type { Subject } from './checks/subject.ts';

/**
 * Whether only sidecars that have ended and cannot start again keep a pod from ending, as after a swap for an image that cannot
 * be pulled. A pod in phase Running has started each of its containers once.
 */
export function isNotStartedAgain({ sidecars, policy }: Subject, because: readonly Exclusion[]): boolean {
  return (
    because.every(({ kind }) => kind === 'NoRunningSidecar') &&
    sidecars.some(({ container }) => waitsForImage(container, policy))
  );
}

/** Admission may have rewritten the image of a swap, so that its name alone does not tell. */
function waitsForImage(container: ContainerView, policy: Policy): boolean {
  if (container.state.kind !== 'Waiting') return false;
  return noopImages(policy).includes(container.image) || cannotStart(container);
}
