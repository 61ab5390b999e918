import { istioOverridesKey, istioStatusKey, ownValue } from '../model/annotations.ts';
import { shortened } from '../model/bounds.ts';
import { jobOf, type PodView } from '../model/pod.ts';
import { isRecord, parseJson, record } from '../util/json.ts';
import type { Source } from './evidence.ts';

const proxy = 'istio-proxy';

/**
 * Istio's injector lists the containers of its templates: those that it added to the pod, and those of the pod that it changed, as
 * its templates for gRPC without a proxy do. A second annotation has the original containers of the pod that it changed.
 * https://github.com/istio/istio/blob/1.27.0/pkg/kube/inject/webhook.go (reapplyOverwrittenContainers)
 */
export const injectedByIstio: Source = (pod) => {
  const listed = containersIn(pod, istioStatusKey);
  const overrides = containersIn(pod, istioOverridesKey);
  const changed = new Set(overrides?.map((one) => record(one)['name']));
  const wasAdded = (name: unknown) => name === proxy || (overrides !== undefined && !changed.has(name));
  const added = new Set(listed?.filter(wasAdded));
  return ({ name }) =>
    added.has(name)
      ? { role: 'Sidecar', because: { kind: 'InjectionStatus', key: istioStatusKey } }
      : undefined;
};

/** The problem of the injector's list; undefined if it can be read or does not exist. */
export function problemOfIstioStatus(pod: PodView): string | undefined {
  return containersIn(pod, istioStatusKey) ? undefined : 'not a JSON object with a list of containers';
}

/**
 * The containers in an annotation of the injector, such as `{"initContainers":["istio-init"],"containers":["istio-proxy"]}`;
 * undefined if it cannot be read, and none if it does not exist. `containers` may be null.
 */
function containersIn({ annotations }: PodView, key: string): readonly unknown[] | undefined {
  const value = parseJson(ownValue(annotations, key) ?? '{}');
  if (!isRecord(value)) return undefined;
  const containers = value['containers'] ?? [];
  return Array.isArray(containers) ? containers : undefined;
}

/** The annotations that the injector adds, and the prefix of those that configure the proxy. */
const marks: readonly string[] = ['linkerd.io/proxy-version', 'linkerd.io/created-by'];
const configuration = 'config.linkerd.io/';

/** Linkerd's injector does not record what it added, but its container always has this name. */
export const injectedByLinkerd: Source = ({ annotations }) => {
  const keys = Object.keys(annotations);
  const key =
    keys.find((each) => marks.includes(each)) ?? keys.find((each) => each.startsWith(configuration));
  return ({ name }) =>
    name === 'linkerd-proxy' && key !== undefined
      ? { role: 'Sidecar', because: { kind: 'InjectionStatus', key } }
      : undefined;
};

const variable = 'KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT';
/** Used on virtual nodes; its value is the image that replaces the sidecar's. */
const variableWithImage = `${variable}_WITH_IMAGE`;

/** OpenKruise's SidecarTerminator: a variable of the sidecar, `true` in upper or lower case. */
export const kruiseSidecar: Source =
  () =>
  ({ env }) => {
    const isSet = ownValue(env, variable)?.toLowerCase() === 'true';
    const name = isSet ? variable : ownValue(env, variableWithImage) ? variableWithImage : undefined;
    return name && { role: 'Sidecar', because: { kind: 'Variable', name } };
  };

/**
 * A Job's template is immutable, so a container that is in the pod but not in the template was added by an
 * admission webhook. A container in the template may be either: people write sidecars there too.
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/#mutable-scheduling-directives
 */
export const notInJobTemplate: Source = (pod, { facts }) => {
  const owner = jobOf(pod);
  const template = owner && facts.templates.get(owner.uid);
  if (!template) return () => undefined;
  const listed = new Set(template.containers);
  const because = { kind: 'NotInJobTemplate', job: shortened(owner.name) } as const;
  return ({ name }) => (listed.has(name) ? undefined : { role: 'Sidecar', because });
};
