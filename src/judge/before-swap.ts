import { matchesRepository, repositoryOf } from '../pod/pattern.ts';
import type { ContainerView } from '../vocabulary/container.ts';

/** https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/kubelet/images/types.go, and kuberuntime_container.go */
const reasons =
  /Pull|InvalidImageName|ImageInspectError|RegistryUnavailable|Signature|CreateContainer|RunContainerError/;

/** Whether the kubelet cannot start a container with its present image. */
export function cannotStart({ state }: ContainerView): boolean {
  return state.kind === 'Waiting' && reasons.test(state.reason);
}

/**
 * The image that says what a container is. If the kubelet cannot create a container with the present one, its status still names
 * the image of the last container: that is what a sweep swapped.
 * https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/kubelet/kubelet_pods.go (convertToAPIContainerStatuses)
 */
export function imageBeforeSwap(container: ContainerView): string {
  const { image, ranImage } = container;
  if (ranImage === undefined || !cannotStart(container)) return image;
  // Runtimes know an image by a longer name than the spec's, or by its ID only.
  const isSame = ranImage.startsWith('sha256:') || matchesRepository(repositoryOf(image), ranImage);
  return isSame ? image : ranImage;
}
