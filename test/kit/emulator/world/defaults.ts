import { randomUUID } from 'node:crypto';
import type { Container, Job, ObjectMeta, Pod } from './objects.ts';
import { type Draft, generatedName, randomSuffix } from './store.ts';

type Manifest<Spec> = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Partial<ObjectMeta>;
  readonly spec: Spec;
  readonly [field: string]: unknown;
};

export type PodManifest = Manifest<Partial<Pod['spec']> & { readonly containers: Container[] }>;

export type JobManifest = Manifest<
  Partial<Omit<Job['spec'], 'template'>> & {
    readonly template: {
      readonly metadata?: Partial<ObjectMeta>;
      readonly spec: PodManifest['spec'];
    };
  }
>;

/** Defaults a new pod like the API server: a complete spec, a token volume, phase Pending. */
export function defaultPod(manifest: PodManifest, spec = defaultPodSpec(manifest.spec)): Draft {
  return {
    ...manifest,
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generation: 1, ...manifest.metadata, namespace: manifest.metadata.namespace ?? 'default' },
    spec,
    status: { phase: 'Pending', qosClass: qosClass(manifest.spec.containers) },
  };
}

/** Defaults a new Job like the API server; the selector and labels come from its uid. */
export function defaultJob(manifest: JobManifest): Draft {
  const uid = manifest.metadata.uid ?? randomUUID();
  const name = manifest.metadata.name ?? generatedName(String(manifest.metadata.generateName));
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const { template, parallelism, completions, ...spec } = manifest.spec;
  const templateLabels = { ...template.metadata?.labels, ...labels };
  const fixedCount = completions ?? (parallelism === undefined ? 1 : undefined);
  return {
    ...manifest,
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      generation: 1,
      ...manifest.metadata,
      namespace: manifest.metadata.namespace ?? 'default',
      name,
      uid,
      labels: manifest.metadata.labels ?? templateLabels,
    },
    spec: {
      parallelism: parallelism ?? 1,
      ...(fixedCount === undefined ? {} : { completions: fixedCount }),
      // With a limit for each index, the Job itself has none, as far as an int32 goes.
      backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2_147_483_647,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
      manualSelector: false,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: spec['podFailurePolicy'] ? 'Failed' : 'TerminatingOrFailed',
      ...spec,
      template: {
        metadata: { ...template.metadata, labels: templateLabels },
        spec: defaultTemplateSpec(template.spec),
      },
    },
    status: {},
  };
}

export function defaultContainer(container: Container): Container {
  return {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: isLatest(container.image) ? 'Always' : 'IfNotPresent',
    ...container,
    ...(container.ports ? { ports: container.ports.map((port) => ({ protocol: 'TCP', ...port })) } : {}),
  };
}

function defaultTemplateSpec(spec: PodManifest['spec']): Pod['spec'] {
  return {
    ...spec,
    ...(spec.initContainers ? { initContainers: spec.initContainers.map(defaultContainer) } : {}),
    containers: spec.containers.map(defaultContainer),
    restartPolicy: spec.restartPolicy ?? 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
    dnsPolicy: spec['dnsPolicy'] ?? 'ClusterFirst',
    securityContext: spec.securityContext ?? {},
    schedulerName: spec['schedulerName'] ?? 'default-scheduler',
  };
}

/** Defaults a pod's spec; unlike in a template, with a service account, tolerations and a priority. */
export function defaultPodSpec(manifest: PodManifest['spec']): Pod['spec'] {
  const token = `kube-api-access-${randomSuffix()}`;
  const spec = defaultTemplateSpec(manifest);
  const serviceAccountName = spec.serviceAccountName ?? 'default';
  const hasToken = spec['automountServiceAccountToken'] !== false;
  const mount = { name: token, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
  const mounted = (container: Container): Container => {
    const volumeMounts = [...((container['volumeMounts'] as unknown[] | undefined) ?? []), mount];
    return hasToken ? { ...container, volumeMounts } : container;
  };
  const listed = (field: string) => (spec[field] as unknown[] | undefined) ?? [];
  const tolerations = ['not-ready', 'unreachable'].map((taint) => ({
    key: `node.kubernetes.io/${taint}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  return {
    ...spec,
    volumes: [...listed('volumes'), ...(hasToken ? [tokenVolume(token)] : [])],
    ...(spec.initContainers ? { initContainers: spec.initContainers.map(mounted) } : {}),
    containers: spec.containers.map(mounted),
    serviceAccountName,
    serviceAccount: serviceAccountName,
    tolerations: [...listed('tolerations'), ...tolerations],
    priority: spec['priority'] ?? 0,
    enableServiceLinks: spec['enableServiceLinks'] ?? true,
    preemptionPolicy: spec['preemptionPolicy'] ?? 'PreemptLowerPriority',
  };
}

function tokenVolume(name: string): unknown {
  const configMap = (map: string, key: string) => ({ configMap: { name: map, items: [{ key, path: key }] } });
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        configMap('kube-root-ca.crt', 'ca.crt'),
        { downwardAPI: { items: [{ path: 'namespace', fieldRef }] } },
        configMap('openshift-service-ca.crt', 'service-ca.crt'),
      ],
      defaultMode: 420,
    },
  };
}

function isLatest(image: string): boolean {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return !name.includes('@') && (!name.includes(':') || name.endsWith(':latest'));
}

type Amounts = Record<string, string> | undefined;

function qosClass(containers: readonly Container[]): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const resources = containers.map(
    (container) => (container['resources'] ?? {}) as { requests?: Amounts; limits?: Amounts },
  );
  if (resources.every(({ requests, limits }) => !requests && !limits)) return 'BestEffort';
  const guaranteed = resources.every(({ requests, limits }) =>
    ['cpu', 'memory'].every((kind) => limits?.[kind] && (requests?.[kind] ?? limits[kind]) === limits[kind]),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
