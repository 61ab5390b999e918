import { annotation, istioOverridesKey, istioStatusKey } from '../../pod/annotations.ts';
import type { PodView } from '../../vocabulary/pod.ts';
import type { Source } from './source.ts';

const proxy = 'istio-proxy';

/**
 * Istio's injector lists the containers of its templates: those that it added to the pod, and those of the pod that it changed, as
 * its templates for gRPC without a proxy do. How these were before, it records as well, and how an owner wanted the proxy.
 * https://github.com/istio/istio/blob/1.27.0/pkg/kube/inject/webhook.go (reapplyOverwrittenContainers)
 */
export const injectedByIstio: Source = (pod) => {
  const listed = containersIn(pod, istioStatusKey) ?? [];
  const overrides = containersIn(pod, istioOverridesKey);
  const changed = new Set(overrides?.map(nameOf));
  const wasAdded = (name: unknown) => name === proxy || (overrides !== undefined && !changed.has(name));
  const added = new Set(listed.filter(wasAdded));
  return ({ name }) =>
    added.has(name)
      ? { role: 'Sidecar', because: { kind: 'InjectionStatus', key: istioStatusKey } }
      : undefined;
};

/** What is wrong with the injector's list; undefined if it can be read or does not exist. */
export function problemOfIstioStatus(pod: PodView): string | undefined {
  return containersIn(pod, istioStatusKey) ? undefined : 'not a JSON object with a list of containers';
}

/**
 * The containers in an annotation of the injector, such as `{"initContainers":["istio-init"],"containers":["istio-proxy"]}`;
 * undefined if it cannot be read, and none if it does not exist. `containers` may be null.
 */
function containersIn({ annotations }: PodView, key: string): readonly unknown[] | undefined {
  const written = annotation(annotations, key);
  if (written === undefined) return [];
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const containers = 'containers' in value ? value.containers : null;
  if (containers === null) return [];
  return Array.isArray(containers) ? containers : undefined;
}

function nameOf(container: unknown): unknown {
  return typeof container === 'object' && container !== null && 'name' in container
    ? container.name
    : undefined;
}
