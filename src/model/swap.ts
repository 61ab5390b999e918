import { isShippedNoop, matchesRepository, repositoryOf } from './image.ts';
import type { ContainerView } from './pod.ts';

/** https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/kubelet/images/types.go, and kuberuntime_container.go */
const reasons =
  /Pull|InvalidImageName|ImageInspectError|RegistryUnavailable|Signature|CreateContainer|RunContainerError/;

/** The exit code that the kubelet gives a container whose program cannot be started. */
export const startError = 128;

/** Whether the kubelet cannot start a container with its present image. */
export function cannotStart({ state }: ContainerView): boolean {
  return state.kind === 'Waiting' && cannotStartReason(state.reason);
}

/** Whether a container that waits for this reason cannot be started with its image. */
export function cannotStartReason(reason: string): boolean {
  return reasons.test(reason);
}

/**
 * The image by which a container is identified. Until the kubelet has created a container with the present one, the status names the
 * image of the last container, which is the one that a sweep replaced.
 * https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/kubelet/kubelet_pods.go (convertToAPIContainerStatuses)
 */
export function imageBeforeSwap(container: ContainerView, noopImages: readonly string[]): string {
  const { image, ranImage } = container;
  if (ranImage === undefined || !ranAnother(container)) return image;
  return cannotStart(container) || isSwapUnderWay(container, noopImages) ? ranImage : image;
}

/** With any other new image it is not the sweep's work, or the runtime knows the same image by another name. */
export function isSwapUnderWay(container: ContainerView, noopImages: readonly string[]): boolean {
  return container.state.kind === 'Running' && isSwapped(container, noopImages);
}

/** Whether a container has a no-op image, and last ran another one. A no-op image alone shows nothing: a main may have the same. */
export function isSwapped(container: ContainerView, noopImages: readonly string[]): boolean {
  return ranAnother(container) && isNoop(container, noopImages);
}

/** Whether its image is one of the policy, or by its name this project's, for which an earlier sweep may have swapped it. */
export function isNoop({ image }: ContainerView, noopImages: readonly string[]): boolean {
  return noopImages.includes(image) || isShippedNoop(image);
}

/** Runtimes know an image by a longer name than the spec's, or by its ID only. */
function ranAnother({ image, ranImage }: ContainerView): boolean {
  if (ranImage === undefined || ranImage.startsWith('sha256:')) return false;
  return !matchesRepository(repositoryOf(image), ranImage);
}
