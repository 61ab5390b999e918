import type { KubeObject } from '../../world/objects.ts';
import type { Call } from '../call.ts';
import { apiVersionOf, type Resource } from '../resources.ts';
import { badRequest, fieldError, invalid } from '../status.ts';

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw badRequest(
      "couldn't get version/kind; json parse error: invalid character looking for beginning of value",
    );
  }
}

export function readObject({ request, resource, info }: Call): { object: KubeObject; warnings: string[] } {
  const parsed = parseJson(request.body);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw badRequest(
      `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}`,
    );
  }
  const object = parsed as Partial<KubeObject>;
  checkKind(resource, object);
  const metadata = { ...object.metadata } as KubeObject['metadata'];
  if (metadata.namespace && metadata.namespace !== info.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (info.name !== '' && info.verb === 'update' && metadata.name !== info.name) {
    throw badRequest(
      `the name of the object (${metadata.name ?? ''}) does not match the name on the URL (${info.name})`,
    );
  }
  const whole = {
    ...object,
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    metadata: { ...metadata, ...(info.namespace === '' ? {} : { namespace: info.namespace }) },
  };
  return checkFields(resource, whole, request.query.get('fieldValidation') ?? 'Warn');
}

function checkKind(resource: Resource, { kind, apiVersion }: Partial<KubeObject>): void {
  const wanted = apiVersionOf(resource);
  if ((kind ?? resource.kind) === resource.kind && (apiVersion ?? wanted) === wanted) return;
  throw badRequest(
    `${kind ?? ''} in version "${apiVersion ?? ''}" cannot be handled as a ${resource.kind}: ` +
      `converting (${apiVersion}.${kind}) to (${wanted}.${resource.kind}): unknown conversion`,
  );
}

/** Drops unknown fields, or refuses them if the client asks for strict validation. */
export function checkFields(
  resource: Resource,
  object: KubeObject,
  fieldValidation: string,
): { object: KubeObject; warnings: string[] } {
  checkMetadataTypes(resource, object);
  const shape = shapes[resource.resource];
  const unknown: string[] = [];
  const pruned = shape ? (prune(object, shape, '', unknown) as KubeObject) : object;
  const problems = unknown.map((field) => `unknown field "${field}"`);
  if (fieldValidation === 'Strict' && problems.length > 0) {
    throw badRequest(
      `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ` +
        `strict decoding error: ${problems.join(', ')}`,
    );
  }
  return { object: pruned, warnings: fieldValidation === 'Ignore' ? [] : problems };
}

/** Labels and annotations are strings; YAML reads an unquoted `1` or `true` as something else. */
function checkMetadataTypes({ kind, version }: Resource, { metadata }: KubeObject): void {
  for (const field of ['labels', 'annotations'] as const) {
    for (const value of Object.values<unknown>(metadata[field] ?? {})) {
      if (typeof value === 'string') continue;
      const goType = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
      throw badRequest(
        `${kind} in version "${version}" cannot be handled as a ${kind}: json: cannot unmarshal ${goType} ` +
          `into Go struct field ObjectMeta.metadata.${field} of type string`,
      );
    }
  }
}

export function warningHeader(warnings: readonly string[]): Record<string, string> {
  if (warnings.length === 0) return {};
  return { warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(', ') };
}

/** Known fields: `true` is known but not descended into; `[shape]` is a list of such objects. */
interface Shape {
  readonly [field: string]: true | Shape | readonly [Shape];
}

function known(fields: string): Shape {
  return Object.fromEntries(fields.split(/\s+/).map((field) => [field, true]));
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

// biome-ignore format: one row a line
const shapes: Readonly<Record<string, Shape>> = {
  pods: { ...top, spec: podSpec },
  jobs: { ...top, spec: jobSpec },
  cronjobs: { ...top, spec: cronJobSpec },
  configmaps: { apiVersion: true, kind: true, metadata, ...known('data binaryData immutable') },
  serviceaccounts: { apiVersion: true, kind: true, metadata, ...known('secrets imagePullSecrets automountServiceAccountToken') },
  leases: { ...top, spec: known('holderIdentity leaseDurationSeconds acquireTime renewTime leaseTransitions strategy preferredHolder') },
};

/** The value without the fields that its shape lacks, whose paths are added to `unknown`. */
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
    const items = (element: Shape) =>
      Array.isArray(inner)
        ? inner.map((each, index) => prune(each, element, `${at}[${index}]`, unknown))
        : inner;
    return [[field, isList(expected) ? items(expected[0]) : prune(inner, expected, at, unknown)] as const];
  });
  return Object.fromEntries(entries);
}

function isList(shape: Shape | readonly [Shape]): shape is readonly [Shape] {
  return Array.isArray(shape);
}

const options: Readonly<Record<string, string>> = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  patch: 'PatchOptions',
  delete: 'DeleteOptions',
};

/**
 * True if the request shall be admitted, validated and answered as if stored, but not stored. A deletion may
 * also say so in its body. `All` is the only stage that there is; anything else is refused.
 */
export function isDryRun({ request, info }: Call, inBody: readonly string[] = []): boolean {
  const stages = [...request.query.getAll('dryRun'), ...inBody];
  const unknown = stages.filter((stage) => stage !== 'All');
  if (unknown.length > 0) {
    const detail = `${JSON.stringify(unknown[0])}: supported values: "All"`;
    const problem = fieldError('NotSupported', 'dryRun', detail);
    throw invalid(options[info.verb] ?? '', 'meta.k8s.io', '', [problem]);
  }
  return stages.length > 0;
}
