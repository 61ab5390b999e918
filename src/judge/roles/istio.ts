import { annotation, istioStatusKey } from '../../pod/annotations.ts';
import type { PodView } from '../../vocabulary.ts';
import type { Source } from './source.ts';

/** Istio's injector records the containers that it added to the pod. */
export const injectedByIstio: Source = (pod) => {
  const status = annotation(pod.annotations, istioStatusKey);
  const injected = new Set(status === undefined ? [] : injectedNames(status));
  return ({ name }) =>
    injected.has(name)
      ? { role: 'Sidecar', because: { kind: 'InjectionStatus', key: istioStatusKey } }
      : undefined;
};

/** What is wrong with the injector's annotation; undefined if it can be read or does not exist. */
export function problemOfIstioStatus(pod: PodView): string | undefined {
  const status = annotation(pod.annotations, istioStatusKey);
  return status === undefined || injectedNames(status)
    ? undefined
    : 'not a JSON object with a list of containers';
}

/** `{"initContainers":["istio-init"],"containers":["istio-proxy"]}`; `containers` may be null. */
function injectedNames(status: string): readonly string[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(status);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const containers = 'containers' in value ? value.containers : null;
  if (containers === null) return [];
  return Array.isArray(containers) ? containers.filter((name) => typeof name === 'string') : undefined;
}
