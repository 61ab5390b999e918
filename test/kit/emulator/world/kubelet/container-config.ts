import type { Container, KubeObject, Pod } from '../objects.ts';
import { StartError } from '../runtime.ts';
import type { Store } from '../store.ts';

interface Reference {
  readonly name?: string;
  readonly key?: string;
  readonly optional?: boolean;
}

interface Source {
  readonly configMap?: Reference | undefined;
  readonly secret?: Reference | undefined;
}

/** Throws a StartError if a ConfigMap or Secret that the container's environment needs does not exist. */
export function checkConfig(store: Store, { metadata }: Pod, container: Container): void {
  for (const { configMap, secret } of sourcesOf(container)) {
    if (configMap) check(store, metadata.namespace, 'configmaps', 'configmap', 'ConfigMap', configMap);
    if (secret) check(store, metadata.namespace, 'secrets', 'secret', 'Secret', secret);
  }
}

function sourcesOf({ env = [], envFrom }: Container): Source[] {
  const whole = (envFrom ?? []) as readonly { configMapRef?: Reference; secretRef?: Reference }[];
  const single = env.map(({ valueFrom }) => valueFrom ?? {}) as readonly {
    configMapKeyRef?: Reference;
    secretKeyRef?: Reference;
  }[];
  return [
    ...whole.map(({ configMapRef, secretRef }) => ({ configMap: configMapRef, secret: secretRef })),
    ...single.map(({ configMapKeyRef, secretKeyRef }) => ({
      configMap: configMapKeyRef,
      secret: secretKeyRef,
    })),
  ];
}

function check(
  store: Store,
  namespace: string | undefined,
  resource: string,
  noun: string,
  kind: string,
  { name = '', key, optional = false }: Reference,
): void {
  if (optional) return;
  const found = store.get<KubeObject>(resource, namespace, name);
  if (!found) throw new StartError('CreateContainerConfigError', `${noun} "${name}" not found`);
  const data = { ...(found['data'] as object), ...(found['stringData'] as object) };
  if (key === undefined || key in data) return;
  throw new StartError(
    'CreateContainerConfigError',
    `couldn't find key ${key} in ${kind} ${namespace}/${name}`,
  );
}
