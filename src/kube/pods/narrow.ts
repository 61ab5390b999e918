import { ownValue } from '../../model/annotations.ts';
import type { ArgoView, Owner, PodCondition, PodRef, PodView } from '../../model/pod.ts';
import {
  filled,
  Interned,
  internText,
  internTexts,
  isRecord,
  type Json,
  list,
  parseJson,
  record,
} from '../../util/json.ts';
import {
  narrowContainer,
  narrowInitContainer,
  narrowNativeSidecar,
  narrowRestartPolicy,
  podRequests,
} from './container.ts';
import {
  type ApiContainer,
  type ApiContainerStatus,
  type ApiPod,
  argoTemplate,
  type PodGlance,
  pod,
  podNames,
} from './message.ts';
import { decode, FieldReader, OverBound } from './protobuf.ts';

export type NarrowedPod = PodView | { readonly problem: string };

/** Reads a pod in protobuf, which begins with its length. */
export function readPodView(bytes: Buffer): NarrowedPod {
  const reader = new FieldReader(bytes);
  try {
    const item = pod.read(reader);
    const view = viewOf(item, reader.kept);
    if ('problem' in view) return view;
    if (item.spec.containers.length === 0) return { problem: 'no containers' };
    return view.containers.every(({ name }) => name) ? view : { problem: 'a container without a name' };
  } catch (error) {
    if (!(error instanceof OverBound)) return { problem: 'it cannot be decoded' };
  }
  const metadata = { ...pod.absent.metadata, ...decode(podNames, bytes)?.metadata };
  const view = viewOf({ ...pod.absent, metadata, spec: { ...pod.absent.spec, restartPolicy: 'Never' } }, 0);
  return 'problem' in view ? view : { ...view, isOverBound: true };
}

function viewOf({ metadata, spec, status }: ApiPod, size: number): NarrowedPod {
  const ref = refOf({ metadata });
  if (!ref) return { problem: 'no namespace, name or uid' };
  const restartPolicy = narrowRestartPolicy(spec.restartPolicy);
  if (!restartPolicy) return { problem: 'no restartPolicy' };
  const owner = controllerIn(metadata.ownerReferences);
  const { nodeName: node } = spec;
  if (!isAllowed(ref) || ![node, owner?.name].every(isName) || !isUid(owner?.uid)) {
    return { problem: 'a name or uid that Kubernetes does not allow' };
  }
  const { containerStatuses: statuses, initContainerStatuses: initStatuses, phase = 'Unknown' } = status;
  const statusOf = new Map(statuses.map((one) => [one.name, one]));
  const initStatusOf = new Map(initStatuses.map((one) => [one.name, one]));
  const isNative = (init: ApiContainer) => init.restartPolicy === 'Always';
  const { terminationGracePeriodSeconds: seconds = 30 } = spec;
  const grace = Math.min(Math.max(0, seconds), longestGrace) * 1000;
  const isWithoutContainers = phase === 'Pending' || phase === 'Failed';
  const conditions = knownConditions.of(
    status.conditions.flatMap(({ type, status: is }) => (type && is ? { type, status: is } : [])),
  );
  const { [argoTemplate.annotation]: template, ...annotations } = metadata.annotations;
  return {
    ref,
    node,
    phase,
    reason: status.reason,
    deleting: metadata.deletionTimestamp !== undefined,
    // The kubelet gives no reason for a pod that failed because of its containers (recorded: deadline-patch).
    disrupted:
      (phase === 'Failed' && status.reason !== undefined) ||
      conditions.some(({ type, status: is }) => type === 'DisruptionTarget' && is === 'True'),
    conditions,
    restartPolicy,
    processNamespace: spec.hostPID ? 'Node' : spec.shareProcessNamespace ? 'Pod' : 'Container',
    hostNetwork: spec.hostNetwork === true,
    pullSecrets: internTexts(spec.imagePullSecrets.flatMap(({ name }) => name ?? [])),
    os: spec.os.name ?? ownValue(spec.nodeSelector, 'kubernetes.io/os'),
    grace,
    owner: owner && narrowOwner(owner),
    hasOtherOwner: metadata.ownerReferences.some(({ controller }) => controller !== true),
    labels: metadata.labels,
    annotations,
    requests: podRequests(spec),
    containers: spec.containers.map((one) =>
      narrowContainer(one, statusOf.get(one.name), metadata.generation === 1),
    ),
    nativeSidecars: spec.initContainers
      .filter(isNative)
      .map((init) => narrowNativeSidecar(init, initStatusOf.get(init.name), grace)),
    initContainers: spec.initContainers
      .filter((init) => !isNative(init))
      .map((init) => narrowInitContainer(init, initStatusOf.get(init.name))),
    restarts: [...initStatuses, ...statuses].reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
    ephemeralContainers: internTexts(spec.ephemeralContainers.flatMap(({ common }) => common.name ?? [])),
    argo: narrowArgo({ metadata, spec }, template),
    // A pod that is waiting for a node has no statuses yet, and one that was evicted or refused may have none: that is fine.
    statusProblems:
      isWithoutContainers && statuses.length === 0 ? [] : statusProblems(spec.containers, statuses),
    awaitsJobTracking: metadata.finalizers.includes('batch.kubernetes.io/job-tracking'),
    size,
    isOverBound: false,
  };
}

const knownConditions = new Interned<readonly PodCondition[]>();

/** In seconds, which can still be counted in milliseconds; the API allows any number. */
const longestGrace = 2 ** 31;

/** Whose pod it is, of one that needs no more; undefined if that cannot be told, or if it has no policy. */
export function narrowNames(glance: PodGlance): PodRef | undefined {
  const ref = refOf(glance);
  return ref && isAllowed(ref) && narrowRestartPolicy(glance.spec.restartPolicy) ? ref : undefined;
}

function refOf({ metadata: { namespace, name, uid } }: Pick<PodGlance, 'metadata'>): PodRef | undefined {
  return namespace !== undefined && name !== undefined && uid !== undefined
    ? { namespace, name, uid }
    : undefined;
}

function isAllowed({ namespace, name, uid }: PodRef): boolean {
  return isName(namespace) && isName(name) && isUid(uid);
}

function statusProblems(
  specs: readonly ApiContainer[],
  statuses: readonly ApiContainerStatus[],
): readonly string[] {
  const problems: string[] = [];
  const counts = new Map<string | undefined, number>();
  for (const { name } of statuses) counts.set(name, (counts.get(name) ?? 0) + 1);
  const called = new Set<string | undefined>();
  for (const { name } of specs) {
    const count = counts.get(name) ?? 0;
    if (called.has(name)) problems.push(`several containers are called ${name}`);
    if (count !== 1) problems.push(`container ${name} has ${count === 0 ? 'no status' : 'several statuses'}`);
    called.add(name);
  }
  for (const { name = 'nothing' } of statuses) {
    if (!called.has(name)) problems.push(`a status names ${name}, which the spec does not`);
  }
  return problems;
}

/** Most pods are at work; reading no more of them makes a list several times as fast. */
export function isAtWork({ spec: { containers }, status }: PodGlance): boolean {
  const names = new Set(containers.map(({ name }) => name));
  return (
    status.phase !== 'Pending' &&
    names.size > 0 &&
    names.size === containers.length &&
    names.size === status.containerStatuses.length &&
    status.containerStatuses.every(
      ({ name, state }) => name !== undefined && names.delete(name) && state.terminated === undefined,
    )
  );
}

export function controllerIn<T extends { readonly controller?: unknown }>(
  references: readonly T[],
): T | undefined {
  return references.find(({ controller }) => controller === true);
}

export function narrowOwner({ apiVersion, kind, name, uid }: Json): Owner {
  const textOf = (value: unknown) => internText(filled(value) ?? '');
  // The group is `batch` of `batch/v1`; the core has none.
  const [, group = ''] = /^([^/]*)\//.exec(filled(apiVersion) ?? '') ?? [];
  return { group: textOf(group), kind: textOf(kind), name: textOf(name), uid: textOf(uid) };
}

const workflowLabel = 'workflows.argoproj.io/workflow';

/** A template has one container, which the pod calls `main`, or a set of containers that keep their names. */
function narrowArgo(
  { metadata, spec }: Pick<ApiPod, 'metadata' | 'spec'>,
  annotated: string | undefined,
): ArgoView | undefined {
  const controller = controllerIn(metadata.ownerReferences);
  const { kind, group } = narrowOwner(controller ?? {});
  // A Job, or whatever else a workflow creates, may pass the label on, but its pods are its own.
  const isArgo = controller
    ? kind === 'Workflow' && group === 'argoproj.io'
    : Object.hasOwn(metadata.labels, workflowLabel);
  if (!isArgo) return undefined;
  const [variable] = [...spec.initContainers, ...spec.containers]
    .flatMap(({ env }) => env)
    .filter(({ key }) => key === argoTemplate.variable);
  const written = variable?.value ?? annotated;
  if (written === undefined) return { mains: ['main'] };
  const template = parseJson(written);
  // A template that is too long for a variable is kept elsewhere, and the variable is empty.
  if (!isRecord(template)) return { mains: undefined };
  const { containerSet } = template;
  if (!isRecord(containerSet)) return { mains: ['main'] };
  const names = list(containerSet['containers']).map((container) => record(container)['name']);
  return { mains: names.every((name) => typeof name === 'string') ? names : undefined };
}

/** Names become parts of paths, where `..` would lead elsewhere. */
function isName(name: string | undefined): boolean {
  if (name === undefined || usualName.test(name)) return true;
  return /^[^/%\p{C}]{1,253}$/u.test(name) && name !== '.' && name !== '..';
}

/** Almost every name matches this, and testing it is several times as fast. */
const usualName = /^[a-z0-9][-a-z0-9.]{0,252}$/;

/** Uids are UUIDs but for static pods, whose uids are a hash. */
function isUid(uid: string | undefined): boolean {
  return uid === undefined || /^[\w.-]{1,128}$/.test(uid);
}
