import type { KubeObject } from '../../world/objects.ts';

/** Known fields: `true` is known but not descended into; `[shape]` is a list of such objects. */
interface Shape {
  readonly [field: string]: true | Shape | readonly [Shape];
}

function known(fields: string): Shape {
  return Object.fromEntries(
    fields
      .split(/\s+/)
      .filter(Boolean)
      .map((field) => [field, true]),
  );
}

const metadata = known(
  `name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp
   deletionGracePeriodSeconds labels annotations ownerReferences finalizers managedFields`,
);

const container: Shape = {
  ...known(
    `name image command args workingDir ports envFrom env resources resizePolicy restartPolicy restartPolicyRules
     volumeMounts volumeDevices livenessProbe readinessProbe startupProbe terminationMessagePath
     terminationMessagePolicy imagePullPolicy securityContext stdin stdinOnce tty targetContainerName`,
  ),
  lifecycle: known('postStart preStop stopSignal'),
};

const podSpec: Shape = {
  ...known(
    `volumes restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy nodeSelector
     serviceAccountName serviceAccount automountServiceAccountToken nodeName hostNetwork hostPID hostIPC
     shareProcessNamespace securityContext imagePullSecrets hostname subdomain affinity schedulerName tolerations
     hostAliases priorityClassName priority dnsConfig readinessGates runtimeClassName enableServiceLinks
     preemptionPolicy overhead topologySpreadConstraints setHostnameAsFQDN os hostUsers schedulingGates
     resourceClaims resources hostnameOverride workloadRef`,
  ),
  containers: [container],
  initContainers: [container],
  ephemeralContainers: [container],
};

const podTemplate: Shape = { metadata, spec: podSpec };

const jobSpec: Shape = {
  ...known(
    `parallelism completions activeDeadlineSeconds podFailurePolicy successPolicy backoffLimit
     backoffLimitPerIndex maxFailedIndexes selector manualSelector ttlSecondsAfterFinished completionMode suspend
     podReplacementPolicy managedBy`,
  ),
  template: podTemplate,
};

const cronJobSpec: Shape = {
  ...known(
    `schedule timeZone startingDeadlineSeconds concurrencyPolicy suspend successfulJobsHistoryLimit
     failedJobsHistoryLimit`,
  ),
  jobTemplate: { metadata, spec: jobSpec },
};

const top = { apiVersion: true, kind: true, metadata, status: true } as const;

const shapes: Readonly<Record<string, Shape>> = {
  pods: { ...top, spec: podSpec },
  jobs: { ...top, spec: jobSpec },
  cronjobs: { ...top, spec: cronJobSpec },
  configmaps: { apiVersion: true, kind: true, metadata, ...known('data binaryData immutable') },
  serviceaccounts: {
    apiVersion: true,
    kind: true,
    metadata,
    ...known('secrets imagePullSecrets automountServiceAccountToken'),
  },
  leases: {
    ...top,
    spec: known(
      'holderIdentity leaseDurationSeconds acquireTime renewTime leaseTransitions strategy preferredHolder',
    ),
  },
};

/** Removes unknown fields and returns their paths. */
export function pruneUnknownFields(
  resource: string,
  object: KubeObject,
): { pruned: KubeObject; unknown: string[] } {
  const shape = shapes[resource];
  if (!shape) return { pruned: object, unknown: [] };
  const unknown: string[] = [];
  return { pruned: prune(object, shape, '', unknown) as KubeObject, unknown };
}

function prune(value: unknown, shape: Shape, path: string, unknown: string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).flatMap(([field, inner]) => {
    const at = path === '' ? field : `${path}.${field}`;
    const expected = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (expected === undefined) {
      unknown.push(at);
      return [];
    }
    if (expected === true) return [[field, inner] as const];
    if (!isList(expected)) return [[field, prune(inner, expected, at, unknown)] as const];
    const [element] = expected;
    const items = Array.isArray(inner)
      ? inner.map((each, index) => prune(each, element, `${at}[${index}]`, unknown))
      : inner;
    return [[field, items] as const];
  });
  return Object.fromEntries(entries);
}

function isList(shape: Shape | readonly [Shape]): shape is readonly [Shape] {
  return Array.isArray(shape);
}
