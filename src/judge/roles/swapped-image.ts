import { cannotStart } from '../../pod/before-swap.ts';
import { noopImages } from '../../policy/noop-images.ts';
import type { Source } from './source.ts';

/** The exit code that the kubelet gives a container whose program cannot be started. */
const startError = 128;

/**
 * A container that ran, and cannot start with the policy's own no-op image: a sweep swapped it. One that runs or is about to be
 * restarted is no evidence, because a main may have the same image.
 */
export const swappedImage: Source = (_pod, { policy }) => {
  const images = noopImages(policy);
  return (container) => {
    const { image, state, lastExitCode } = container;
    if (!images.includes(image) || state.kind !== 'Waiting' || lastExitCode === undefined) return undefined;
    if (!cannotStart(container) && lastExitCode !== startError) return undefined;
    return { role: 'Sidecar', because: { kind: 'SwappedImage' } };
  };
};
