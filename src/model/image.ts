import { type ContainerView, type PodView, type RestartPolicy, willRestart } from './pod.ts';

/**
 * An image, as a pod names it. The API server takes any text, and the kubelet ends the old container before it finds that it
 * cannot pull such an image. https://github.com/distribution/reference/blob/main/reference.go
 */
export const imageReference =
  /^[A-Za-z0-9[](?:[\w.:/[\]-]{0,511}[A-Za-z0-9_])?(?:@[a-z0-9+._-]{1,32}:[0-9a-f]{32,128})?$/;

export const exampleImage = 'registry.example/noop:1';

/** The programs of a no-op image: those of the image of this project, or a list. */
export type NoopPrograms = 'shipped' | string[];

/** A no-op image, as the policy writes it. */
export interface NoopImage {
  readonly image: string;
  readonly commands?: NoopPrograms | undefined;
}

/**
 * Whether a text matches a pattern in which `*` stands for any characters. It is not compiled to a regular
 * expression, because a pattern in a policy could make that backtrack excessively.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let inPattern = 0;
  let inText = 0;
  let star = -1;
  let retry = 0;
  while (inText < text.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++;
      retry = inText;
    } else if (pattern[inPattern] === text[inText]) {
      inPattern++;
      inText++;
    } else if (star >= 0) {
      inPattern = star + 1;
      inText = ++retry;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}

/**
 * Whether an image is from a repository, whatever its registry, tag or digest: `istio/proxyv2` matches
 * `registry.example:5000/mirror/istio/proxyv2:1.27`. Paths are compared from the end, segment by segment.
 */
export function matchesRepository(pattern: string, image: string): boolean {
  const wanted = pattern.split('/').reverse();
  const parts = repositoryOf(image).split('/').reverse();
  return (
    wanted.length <= parts.length && wanted.every((part, index) => matchesGlob(part, parts[index] ?? ''))
  );
}

/**
 * The same for a mirror without folders that writes `-` or `_` for `/`: `linkerd/proxy` may be `mirrored-linkerd-proxy` or
 * `cr_l5d_io_linkerd_proxy` there.
 */
export function matchesMirrored(pattern: string, image: string): boolean {
  const name = repositoryOf(image).split('/').at(-1) ?? '';
  return ['-', '_'].some((separator) => {
    const flat = pattern.replaceAll('/', separator);
    return flat !== pattern && [flat, `*${separator}${flat}`].some((each) => matchesGlob(each, name));
  });
}

/** An image's name without its tag and digest. */
export function repositoryOf(image: string): string {
  const name = image.split('@', 1)[0] ?? '';
  const tag = name.indexOf(':', name.lastIndexOf('/') + 1);
  return tag < 0 ? name : name.slice(0, tag);
}

/** Whether an image may be a copy of another one in a mirror, whatever that makes of its folders, its tag and its digest. */
export function mayBeCopy(copy: string, image: string): boolean {
  return repositoryOf(copy).endsWith(repositoryOf(image).split('/').at(-1) ?? '');
}

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

/**
 * Whether a sweep swapped the image of a container, and the kubelet has not replaced the container yet. With any other new image
 * it is not the sweep's work, or the runtime knows the same image by the name of another.
 */
export function isSwapUnderWay(container: ContainerView, noopImages: readonly string[]): boolean {
  return container.state.kind === 'Running' && isSwapped(container, noopImages);
}

/** Whether a container has a no-op image, and last ran another one. A no-op image alone shows nothing: a main may have the same. */
export function isSwapped(container: ContainerView, noopImages: readonly string[]): boolean {
  return noopImages.includes(container.image) && ranAnother(container);
}

/** Restarts that the status of a pod does not count yet: the kubelet restarts a container only after a while. */
export function restartsDue({ containers, restartPolicy }: PodView): number {
  return containers.filter((container) => isRestartDue(container, restartPolicy)).length;
}

function isRestartDue(container: ContainerView, restartPolicy: RestartPolicy): boolean {
  const { state, id } = container;
  switch (state.kind) {
    case 'Running':
      // The kubelet ends it within the pod's grace period and starts the new image.
      return ranAnother(container);
    case 'Waiting':
      return id !== undefined;
    case 'Terminated':
      return willRestart(container, restartPolicy, state.exitCode);
    case 'Unreported':
      return false;
  }
}

/**
 * Whether a container last ran another image than that of its spec. Runtimes know an image by a longer name than the spec's, or by
 * its ID only.
 */
export function ranAnother({ image, ranImage }: ContainerView): boolean {
  if (ranImage === undefined || ranImage.startsWith('sha256:')) return false;
  return !matchesRepository(repositoryOf(image), ranImage);
}
