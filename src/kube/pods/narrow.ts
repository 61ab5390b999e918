import type { ArgoView, Owner, PodCondition, PodRef, PodView } from '../../model/pod.ts';
import { Interned } from '../../util/interned.ts';
import {
  filled,
  integer,
  internText,
  internTexts,
  isRecord,
  type Json,
  list,
  parseJson,
  record,
  records,
  strings,
  text,
} from '../json.ts';
import {
  argoTemplate,
  narrowContainer,
  narrowInitContainer,
  narrowNativeSidecar,
  narrowRestartPolicy,
  podRequests,
} from './container.ts';

/**
 * Takes the facts that decisions rest on from a pod of the API. Nothing is trusted to have the right shape:
 * what is not a pod yields the reason why.
 */
export function narrowPod(value: unknown): PodView | { readonly problem: string } {
  if (!isRecord(value)) return { problem: 'not an object' };
  const metadata = record(value['metadata']);
  const spec = record(value['spec']);
  const status = record(value['status']);
  const ref = refOf(metadata);
  if (!ref) return { problem: 'no namespace, name or uid' };
  const restartPolicy = narrowRestartPolicy(spec['restartPolicy']);
  if (!restartPolicy) return { problem: 'no restartPolicy' };
  const specs = records(spec['containers']);
  if (specs.length === 0) return { problem: 'no containers' };
  if (specs.some((container) => filled(container['name']) === undefined))
    return { problem: 'a container without a name' };
  const initSpecs = records(spec['initContainers']);
  const statuses = records(status['containerStatuses']);
  const byName = firstByName(statuses);
  const initStatuses = records(status['initContainerStatuses']);
  const initByName = firstByName(initStatuses);
  const native = initSpecs.filter((init) => init['restartPolicy'] === 'Always');
  const ordinary = initSpecs.filter((init) => init['restartPolicy'] !== 'Always');
  const seconds = integer(spec['terminationGracePeriodSeconds']) ?? 30;
  const grace = Math.min(Math.max(0, seconds), longestGrace) * 1000;
  const phase = internText(filled(status['phase']) ?? 'Unknown');
  const isWithoutContainers = phase === 'Pending' || phase === 'Failed';
  const labels = strings(metadata['labels']);
  const annotations = strings(metadata['annotations']);
  const owner = controllerIn(metadata);
  const conditions = narrowConditions(status);
  const names = [filled(spec['nodeName']), filled(owner?.['name'])];
  if (!isAllowed(ref) || !names.every(isName) || !isUid(filled(owner?.['uid']))) {
    return { problem: 'a name or uid that Kubernetes does not allow' };
  }
  return {
    ref,
    node: internText(filled(spec['nodeName'])),
    phase,
    reason: internText(filled(status['reason'])),
    deleting: metadata['deletionTimestamp'] !== undefined && metadata['deletionTimestamp'] !== null,
    disrupted: conditions.some(({ type, status: is }) => type === 'DisruptionTarget' && is === 'True'),
    conditions,
    restartPolicy,
    processNamespace:
      spec['hostPID'] === true ? 'Node' : spec['shareProcessNamespace'] === true ? 'Pod' : 'Container',
    hostNetwork: spec['hostNetwork'] === true,
    os: filled(record(spec['os'])['name']) ?? filled(record(spec['nodeSelector'])['kubernetes.io/os']),
    grace,
    owner: owner && narrowOwner(owner),
    hasOtherOwner: records(metadata['ownerReferences']).some((reference) => reference['controller'] !== true),
    labels,
    annotations,
    requests: podRequests(spec),
    containers: specs.map((container) => narrowContainer(container, byName.get(container['name']), status)),
    nativeSidecars: native.map((init) => narrowNativeSidecar(init, initByName.get(init['name']), grace)),
    initContainers: ordinary.map((init) => narrowInitContainer(init, initByName.get(init['name']))),
    restarts: [...initStatuses, ...statuses].reduce(
      (sum, one) => sum + (integer(one['restartCount']) ?? 0),
      0,
    ),
    ephemeralContainers: internTexts(records(spec['ephemeralContainers']).flatMap(nameOf)),
    argo: narrowArgo(owner, labels, annotations, [...initSpecs, ...specs]),
    // A pod that is waiting for a node has no statuses yet, and one that was evicted or refused may have none: that is fine.
    statusProblems: isWithoutContainers && statuses.length === 0 ? [] : statusProblems(specs, statuses),
    awaitsJobTracking: list(metadata['finalizers']).includes('batch.kubernetes.io/job-tracking'),
  };
}

const knownConditions = new Interned<readonly PodCondition[]>();

function narrowConditions(status: Json): readonly PodCondition[] {
  const conditions = records(status['conditions']).flatMap(({ type, status: is }) =>
    typeof type === 'string' && typeof is === 'string' ? { type, status: is } : [],
  );
  return knownConditions.of(conditions);
}

/** In seconds. The API allows any number; 68 years after now can still be counted in milliseconds. */
const longestGrace = 2 ** 31;

/** Whose pod it is, of one that needs no more; undefined if that cannot be told, or if it has no policy. */
export function narrowNames(value: unknown): PodRef | undefined {
  const { metadata, spec } = record(value);
  const ref = refOf(record(metadata));
  return ref && isAllowed(ref) && narrowRestartPolicy(record(spec)['restartPolicy']) ? ref : undefined;
}

function refOf({ namespace, name, uid }: Json): PodRef | undefined {
  const areTexts = typeof namespace === 'string' && typeof name === 'string' && typeof uid === 'string';
  return areTexts ? { namespace, name, uid } : undefined;
}

function isAllowed({ namespace, name, uid }: PodRef): boolean {
  return isName(namespace) && isName(name) && isUid(uid);
}

function nameOf(spec: Json): readonly string[] {
  const name = filled(spec['name']);
  return name === undefined ? [] : [name];
}

/** The first of a name counts, if there are several. */
function firstByName(statuses: readonly Json[]): ReadonlyMap<unknown, Json> {
  return new Map([...statuses].reverse().map((one) => [one['name'], one]));
}

function statusProblems(specs: readonly Json[], statuses: readonly Json[]): readonly string[] {
  const problems: string[] = [];
  const counts = new Map<unknown, number>();
  for (const { name } of statuses) counts.set(name, (counts.get(name) ?? 0) + 1);
  const called = new Set<unknown>();
  for (const { name } of specs) {
    if (called.has(name)) problems.push(`several containers are called ${name}`);
    called.add(name);
    const count = counts.get(name) ?? 0;
    if (count === 0) problems.push(`container ${name} has no status`);
    if (count > 1) problems.push(`container ${name} has several statuses`);
  }
  for (const { name } of statuses) {
    if (called.has(name)) continue;
    problems.push(`a status names ${filled(name) ?? 'nothing'}, which the spec does not`);
  }
  return problems;
}

/**
 * Whether no container of a pod has ended yet, which is so of most pods of a cluster: none of these can be stuck, and reading no
 * more of them makes a list several times as fast. Whatever is unclear is for the judge, and so is a pod that has not begun: its
 * init containers tell why.
 */
export function isAtWork(item: unknown): boolean {
  const { spec, status } = record(item);
  const names = new Set(records(record(spec)['containers']).map(({ name }) => filled(name)));
  const statuses = records(record(status)['containerStatuses']);
  return (
    record(status)['phase'] !== 'Pending' &&
    names.size > 0 &&
    names.size === list(record(spec)['containers']).length &&
    names.size === statuses.length &&
    statuses.every(
      ({ name, state }) => names.delete(filled(name)) && record(state)['terminated'] === undefined,
    )
  );
}

/** The reference to the object that controls this one; it has one at most. */
export function controllerIn(metadata: Json): Json | undefined {
  return records(metadata['ownerReferences']).find((reference) => reference['controller'] === true);
}

export function narrowOwner(owner: Json): Owner {
  return {
    group: internText(groupOf(filled(owner['apiVersion']) ?? '')),
    kind: internText(filled(owner['kind']) ?? ''),
    name: internText(filled(owner['name']) ?? ''),
    uid: internText(filled(owner['uid']) ?? ''),
  };
}

/** `batch` of `batch/v1`; the core has no group. */
function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

/** Up to 3.2, Argo Workflows puts the template of a pod in an annotation, later in a variable. */
const templateKey = 'workflows.argoproj.io/template';
const workflowLabel = 'workflows.argoproj.io/workflow';

/**
 * What Argo Workflows made a pod for. A template has one container, which the pod calls `main` whatever its
 * name in the template, or a set of containers that keep their names.
 */
function narrowArgo(
  owner: Json | undefined,
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
  specs: readonly Json[],
): ArgoView | undefined {
  const kind = owner?.['kind'];
  // A Job that a workflow creates may pass the label on, but its pods are the Job's.
  const isArgo = kind === 'Workflow' || (Object.hasOwn(labels, workflowLabel) && kind !== 'Job');
  if (!isArgo) return undefined;
  const written = specs.flatMap(templateIn)[0] ?? annotations[templateKey];
  if (written === undefined) return { mains: ['main'] };
  const template = parseJson(written);
  // A template that is too long for a variable is kept elsewhere, and the variable is empty.
  if (!isRecord(template)) return { mains: undefined };
  const { containerSet } = template;
  if (!isRecord(containerSet)) return { mains: ['main'] };
  const names = list(containerSet['containers']).map((container) => record(container)['name']);
  return { mains: names.every((name) => typeof name === 'string') ? names : undefined };
}

function templateIn({ env }: Json): readonly string[] {
  return records(env).flatMap(({ name, value }) => (name === argoTemplate ? [text(value) ?? ''] : []));
}

/**
 * Names become parts of paths, where `..` would lead elsewhere. What the API server allows besides is its own matter.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#path-segment-names
 */
function isName(name: string | undefined): boolean {
  if (name === undefined || usualName.test(name)) return true;
  return /^[^/%\p{C}]{1,253}$/u.test(name) && name !== '.' && name !== '..';
}

/** Almost every name is like this, which is told several times as fast. */
const usualName = /^[a-z0-9][-a-z0-9.]{0,252}$/;

/** Uids are UUIDs but for static pods, whose uids are a hash. */
function isUid(uid: string | undefined): boolean {
  return uid === undefined || /^[\w.-]{1,128}$/.test(uid);
}
