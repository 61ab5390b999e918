import { isDeepStrictEqual } from 'node:util';
import { defaultContainer } from '../../world/defaults.ts';
import { bindTo } from '../../world/node.ts';
import type { KubeObject, Pod } from '../../world/objects.ts';
import { markDisrupted } from '../../world/pods.ts';
import { enforcePolicies } from '../admission/policies.ts';
import { writeOf } from '../admission/requests.ts';
import { type Answer, json } from '../answer.ts';
import { type Call, namedObject } from '../call.ts';
import { matchesLabelSelector } from '../read/selectors.ts';
import {
  badRequest,
  conflict,
  type FieldProblem,
  fieldError,
  invalid,
  notFound,
  StatusError,
} from '../status.ts';
import { isDryRun, parseJson } from '../write/body.ts';
import { checkPreconditions, type DeleteOptions, remove } from '../write/delete.ts';

/** What a scheduler sends, to the pod's subresource or, with the pod's name in it, to `bindings`. Its annotations, but not its labels, are merged into the pod (measured on Kubernetes 1.24). */
export function bind(call: Call): Answer {
  const body = parseJson(call.request.body) as {
    metadata?: { name?: string; annotations?: Record<string, string> };
    target?: { name?: string };
  };
  const { backend, resource, info } = call;
  const name = info.name || (body.metadata?.name ?? '');
  const pod = backend.store.get<Pod>('pods', info.namespace, name);
  if (!pod) throw notFound({ group: '', resource: 'pods' }, name);
  const dryRun = isDryRun(call);
  const kind = { group: '', version: 'v1', kind: 'Binding' };
  enforcePolicies({ ...writeOf(call, 'CREATE', { object: body as KubeObject, dryRun }), kind });
  if (pod.spec.nodeName) {
    throw conflict(resource, name, `pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
  }
  if (!dryRun) {
    backend.store.update<Pod>('pods', info.namespace, name, (current) => {
      const annotations = { ...current.metadata.annotations, ...body.metadata?.annotations };
      const annotated = { ...current, metadata: { ...current.metadata, annotations } };
      return bindTo(annotated, body.target?.name ?? '', backend.clock.now());
    });
  }
  return json(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

/** The subresource ignores everything but the ephemeral containers. */
export function withEphemeralContainers(current: Pod, wanted: Pod): Pod {
  const ephemeralContainers = (wanted.spec?.ephemeralContainers ?? []).map(defaultContainer);
  return { ...current, spec: { ...current.spec, ephemeralContainers } };
}

/** They may be added, but not changed or removed, and a target must be one of the pod's containers. */
export function validateEphemeralContainers(before: Pod, after: Pod): void {
  const old = before.spec.ephemeralContainers ?? [];
  const now = after.spec.ephemeralContainers ?? [];
  const problems: FieldProblem[] = [];
  const targets = [...before.spec.containers, ...(before.spec.initContainers ?? [])];
  const taken = new Set(targets.map(({ name }) => name));
  for (const [index, { name, image, targetContainerName }] of now.entries()) {
    const at = `spec.ephemeralContainers[${index}]`;
    if (!name) problems.push(fieldError('Required', `${at}.name`));
    if (!image) problems.push(fieldError('Required', `${at}.image`));
    if (taken.has(name)) problems.push(fieldError('Duplicate', `${at}.name`, `"${name}"`));
    taken.add(name);
    if (targetContainerName && !targets.some((each) => each.name === targetContainerName)) {
      problems.push(fieldError('NotFound', `${at}.targetContainerName`, `"${targetContainerName}"`));
    }
  }
  for (const container of old) {
    const kept = now.find(({ name }) => name === container.name);
    if (kept && isDeepStrictEqual(kept, container)) continue;
    const detail = `existing ephemeral container "${container.name}" may not be ${kept ? 'changed' : 'removed'}\n`;
    problems.push(fieldError('Forbidden', 'spec.ephemeralContainers', detail));
  }
  if (problems.length > 0) throw invalid('Pod', '', before.metadata.name, problems);
}

/** Eviction: a delete that a PodDisruptionBudget may refuse. */
export function evict(call: Call): Answer {
  const pod = namedObject<Pod>(call);
  const body = parseJson(call.request.body) as {
    metadata?: { name?: string };
    deleteOptions?: DeleteOptions;
  };
  if ((body.metadata?.name ?? '') !== pod.metadata.name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  const options = body.deleteOptions ?? {};
  const dryRun = isDryRun(call, options.dryRun);
  const kind = { group: 'policy', version: 'v1', kind: 'Eviction' };
  // The deletion that follows is not admitted once more.
  enforcePolicies({ ...writeOf(call, 'CREATE', { object: body as KubeObject, dryRun }), kind });
  checkPreconditions(call.resource, pod, options);
  checkBudgets(call, pod);
  if (!dryRun) {
    const { store, clock } = call.backend;
    remove(call.backend, 'pods', markDisrupted(store, clock, pod, 'Eviction'), options);
  }
  return json(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

/** There is no controller of disruptions, so that every budget is still being processed, as it was for the recording. */
function checkBudgets({ backend }: Call, pod: Pod): void {
  const { namespace, labels = {}, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp || ['Pending', 'Succeeded', 'Failed'].includes(pod.status.phase)) return;
  const budget = backend.store.list('poddisruptionbudgets', namespace).find(({ spec }) => {
    const { selector } = (spec ?? {}) as { selector?: unknown };
    return selector !== undefined && matchesLabelSelector(selector, labels);
  });
  if (!budget) return;
  const message = `The disruption budget ${budget.metadata.name} is still being processed by the server.`;
  const why = "Cannot evict pod as it would violate the pod's disruption budget.";
  throw new StatusError(429, 'TooManyRequests', why, {
    details: { causes: [{ reason: 'DisruptionBudget', message }], retryAfterSeconds: 10 },
    headers: { 'retry-after': '10' },
  });
}

/**
 * The subresource takes the resources of containers and nothing else, neither annotations nor labels.
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/registry/core/pod/strategy.go (dropNonResizeUpdates)
 */
export function withResources(current: Pod, wanted: Pod): Pod {
  const containers = current.spec.containers.map((container) => {
    const resources = wanted.spec.containers.find(({ name }) => name === container.name)?.['resources'];
    return resources === undefined ? container : { ...container, resources };
  });
  return { ...current, spec: { ...current.spec, containers } };
}

/** A write of a pod's status carries labels, annotations and finalizers with it, but no owners (measured on Kubernetes 1.24). */
export function withStatus(current: KubeObject, { metadata, status }: KubeObject): KubeObject {
  const { labels, annotations, finalizers, ...fixed } = current.metadata;
  const carried = {
    labels: metadata.labels,
    annotations: metadata.annotations,
    finalizers: metadata.finalizers,
  };
  const present = Object.entries(carried).filter(([, value]) => value !== undefined);
  return { ...current, metadata: { ...fixed, ...Object.fromEntries(present) }, status };
}
