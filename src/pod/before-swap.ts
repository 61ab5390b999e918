import type { ContainerView } from '../vocabulary/container.ts';
import { matchesRepository, repositoryOf } from './pattern.ts';

/** https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/kubelet/images/types.go, and kuberuntime_container.go */
const reasons =
  /Pull|InvalidImageName|ImageInspectError|RegistryUnavailable|Signature|CreateContainer|RunContainerError/;

/** Whether the kubelet cannot start a container with its present image. */
export function cannotStart({ state }: ContainerView): boolean {
  return state.kind === 'Waiting' && reasons.test(state.reason);
}

/**
 * The image that says what a container is. Until the kubelet has created a container with the present one, the status names the
 * image of the last container: that is what a sweep swapped.
 * https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/kubelet/kubelet_pods.go (convertToAPIContainerStatuses)
 */
export function imageBeforeSwap(container: ContainerView, noopImages: readonly string[]): string {
  const { image, ranImage } = container;
  if (ranImage === undefined || !isOther(image, ranImage)) return image;
  return cannotStart(container) || isSwapUnderWay(container, noopImages) ? ranImage : image;
}

/**
 * Whether a sweep swapped the image of a container, and the kubelet has not replaced the container yet. With any other new image
 * it is not the sweep's work, or the runtime knows the same image by the name of another.
 */
export function isSwapUnderWay(container: ContainerView, noopImages: readonly string[]): boolean {
  return noopImages.includes(container.image) && isBeingSwapped(container);
}

/** Whether a container runs with another image than it is to have: it ends within the pod's grace period, and starts again. */
export function isBeingSwapped({ state, image, ranImage }: ContainerView): boolean {
  return state.kind === 'Running' && ranImage !== undefined && isOther(image, ranImage);
}

/** Runtimes know an image by a longer name than the spec's, or by its ID only. */
function isOther(image: string, ranImage: string): boolean {
  return !ranImage.startsWith('sha256:') && !matchesRepository(repositoryOf(image), ranImage);
}
