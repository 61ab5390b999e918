import { apiServiceIP } from '../../in-cluster.ts';
import type { Container, EnvVar, Pod } from '../../objects.ts';

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
  switch (fieldRef.fieldPath) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace;
    case 'metadata.uid':
      return metadata.uid;
    case 'spec.nodeName':
      return spec.nodeName;
  }
  return undefined;
}
