import type { Container, Pod } from '../../world/objects.ts';

/**
 * The subresource takes the resources of containers and nothing else, neither annotations nor labels.
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/registry/core/pod/strategy.go (dropNonResizeUpdates)
 */
export function withResources(current: Pod, wanted: Pod): Pod {
  const containers = current.spec.containers.map((container) => resized(container, wanted.spec.containers));
  return { ...current, spec: { ...current.spec, containers } };
}

function resized(container: Container, wanted: readonly Container[]): Container {
  const resources = wanted.find(({ name }) => name === container.name)?.['resources'];
  return resources === undefined ? container : { ...container, resources };
}
