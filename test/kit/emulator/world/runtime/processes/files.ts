import type { Container, EnvVar, Pod } from '../../objects.ts';
import type { Store } from '../../store.ts';
import { apiServiceIP, type InCluster } from '../runtime.ts';
import type { RootEntry } from './images.ts';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A container's environment: its own variables take precedence over the node's, those over the image's. */
export function environment(
  pod: Pod,
  container: Container,
  image: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const values: Record<string, string> = {
    PATH,
    HOSTNAME: String(pod.spec['hostname'] ?? pod.metadata.name),
    KUBERNETES_SERVICE_HOST: apiServiceIP,
    KUBERNETES_SERVICE_PORT: '443',
    ...image,
  };
  for (const variable of container.env ?? []) {
    const value = variable.value === undefined ? fromPod(pod, variable) : expand(variable.value, values);
    if (value !== undefined) values[variable.name] = value;
  }
  return values;
}

/** Expands `$(NAME)` as the kubelet does in commands; `$$(NAME)` becomes `$(NAME)`. */
export function expand(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\(([^)]+)\)/g, (match, name: string | undefined) =>
    name === undefined ? '$' : (values[name] ?? match),
  );
}

/** The downward API, limited to names, labels and annotations. */
function fromPod({ metadata, spec }: Pod, variable: EnvVar): string | undefined {
  const { fieldRef } = (variable['valueFrom'] ?? {}) as { fieldRef?: { fieldPath: string } };
  if (!fieldRef) return undefined;
  const [, kind, key = ''] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(fieldRef.fieldPath) ?? [];
  if (kind === 'labels') return metadata.labels?.[key];
  if (kind === 'annotations') return metadata.annotations?.[key];
  const fields: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'spec.nodeName': spec.nodeName,
  };
  return fields[fieldRef.fieldPath];
}

interface VolumeSources {
  readonly store: Store;
  /** Only used for pods with their own service account. */
  readonly inCluster: InCluster | undefined;
}

type Files = readonly { readonly path: string; readonly content: string; readonly mode?: number }[];

interface KeyToPath {
  readonly key: string;
  readonly path: string;
  readonly mode?: number;
}

interface ConfigMapSource {
  readonly name: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
}

interface Projection {
  readonly serviceAccountToken?: { readonly path: string };
  readonly configMap?: ConfigMapSource;
  readonly downwardAPI?: { readonly items: readonly { readonly path: string }[] };
}

interface Volume {
  readonly name: string;
  readonly configMap?: ConfigMapSource;
  readonly projected?: { readonly sources: readonly Projection[] };
}

/** The files of a container's volumes: ConfigMaps, and the service account's token, CA and namespace. */
export function mountedFiles(pod: Pod, container: Container, sources: VolumeSources): readonly RootEntry[] {
  const volumes = (pod.spec['volumes'] ?? []) as readonly Volume[];
  const mounts = (container['volumeMounts'] ?? []) as readonly { name: string; mountPath: string }[];
  return mounts.flatMap(({ name, mountPath }) => {
    const volume = volumes.find((each) => each.name === name);
    const files = volume ? filesOf(volume, pod, sources) : [];
    return files.map(({ path, content, mode = 0o644 }) => ({
      kind: 'file' as const,
      path: `${mountPath}/${path}`,
      content,
      executable: (mode & 0o111) !== 0,
    }));
  });
}

function filesOf({ configMap, projected }: Volume, pod: Pod, sources: VolumeSources): Files {
  if (configMap) return filesOfConfigMap(configMap, pod, sources);
  return (projected?.sources ?? []).flatMap((each) => projectedFiles(each, pod, sources));
}

function projectedFiles(
  { serviceAccountToken, configMap, downwardAPI }: Projection,
  pod: Pod,
  sources: VolumeSources,
): Files {
  const { namespace = '' } = pod.metadata;
  const { inCluster } = sources;
  if (!inCluster) return [];
  if (serviceAccountToken) {
    const content = inCluster.token(namespace, pod.spec.serviceAccountName ?? 'default');
    return [{ path: serviceAccountToken.path, content }];
  }
  if (configMap) return filesOfConfigMap(configMap, pod, sources);
  return (downwardAPI?.items ?? []).map(({ path }) => ({ path, content: namespace }));
}

function filesOfConfigMap(
  { name, items, defaultMode = 0o644 }: ConfigMapSource,
  pod: Pod,
  { store, inCluster }: VolumeSources,
): Files {
  const { data: stored = {} } = (store.get('configmaps', pod.metadata.namespace, name) ?? {}) as {
    data?: Record<string, string>;
  };
  // In a real cluster, a controller creates it in every namespace.
  const data = name === 'kube-root-ca.crt' && inCluster ? { 'ca.crt': inCluster.ca } : stored;
  const keys = items ?? Object.keys(data).map((key) => ({ key, path: key }));
  return keys.flatMap(({ key, path, mode = defaultMode }: KeyToPath) => {
    const content = (data as Record<string, string>)[key];
    return content === undefined ? [] : [{ path, content, mode }];
  });
}
