import type { Millis } from '../../duration.ts';
import type {
  ContainerState,
  ContainerView,
  InitContainerView,
  NativeSidecarView,
  PodRef,
  PodView,
  RestartPolicy,
  RestartRule,
} from '../../vocabulary.ts';
import { filled, integer, isRecord, type Json, list, record, records, texts } from '../json.ts';
import { parseTime } from '../time.ts';
import { argoTemplate, narrowArgo } from './narrow-argo.ts';
import { controllerIn, narrowOwner } from './owner.ts';
import { podRequests } from './pod-requests.ts';
import { startupLimit } from './startup-limit.ts';
import { swapSigns } from './swap-signs.ts';

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
  const grace = Math.max(0, integer(spec['terminationGracePeriodSeconds']) ?? 30) * 1000;
  const phase = filled(status['phase']) ?? 'Unknown';
  const labels = strings(metadata['labels']);
  const annotations = strings(metadata['annotations']);
  const owner = controllerIn(metadata);
  const names = [filled(spec['nodeName']), filled(owner?.['name'])];
  if (!isAllowed(ref) || !names.every(isName) || !isUid(filled(owner?.['uid']))) {
    return { problem: 'a name or uid that Kubernetes does not allow' };
  }
  return {
    ref,
    node: filled(spec['nodeName']),
    phase,
    reason: filled(status['reason']),
    deleting: metadata['deletionTimestamp'] !== undefined && metadata['deletionTimestamp'] !== null,
    disrupted: records(status['conditions']).some(
      (condition) => condition['type'] === 'DisruptionTarget' && condition['status'] === 'True',
    ),
    restartPolicy,
    processNamespace:
      spec['hostPID'] === true ? 'Node' : spec['shareProcessNamespace'] === true ? 'Pod' : 'Container',
    hostNetwork: spec['hostNetwork'] === true,
    os: filled(record(spec['os'])['name']) ?? filled(record(spec['nodeSelector'])['kubernetes.io/os']),
    grace,
    owner: owner && narrowOwner(owner),
    labels,
    annotations,
    pullSecrets: records(spec['imagePullSecrets']).flatMap(nameOf),
    requests: podRequests(spec),
    containers: specs.map((container) => narrowContainer(container, byName.get(container['name']), status)),
    nativeSidecars: native.map((init) => narrowNativeSidecar(init, initByName.get(init['name']), grace)),
    initContainers: ordinary.map((init) => narrowInitContainer(init, initByName.get(init['name']))),
    restarts: [...initStatuses, ...statuses].reduce(
      (sum, one) => sum + (integer(one['restartCount']) ?? 0),
      0,
    ),
    ephemeralContainers: records(spec['ephemeralContainers']).flatMap(nameOf),
    argo: narrowArgo(owner, labels, annotations, [...initSpecs, ...specs]),
    // A pod that is waiting for a node has no statuses yet, and that is fine.
    statusProblems: phase === 'Pending' && statuses.length === 0 ? [] : statusProblems(specs, statuses),
    awaitsJobTracking: list(metadata['finalizers']).includes('batch.kubernetes.io/job-tracking'),
  };
}

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

function narrowContainer(spec: Json, status: Json | undefined, pod: Json): ContainerView {
  const name = filled(spec['name']) ?? '';
  const last = record(record(status?.['lastState'])['terminated']);
  return {
    name,
    image: filled(spec['image']) ?? '',
    command: words(spec['command']),
    args: words(spec['args']),
    mounts: records(spec['volumeMounts']).flatMap(({ mountPath }) => filled(mountPath) ?? []),
    pullPolicy: filled(spec['imagePullPolicy']) ?? '',
    env: variables(spec['env']),
    restartPolicy: narrowRestartPolicy(spec['restartPolicy']),
    restartRules: records(spec['restartPolicyRules']).map(narrowRule),
    swapSigns: swapSigns(spec, status, pod),
    state: status ? narrowState(record(status['state'])) : { kind: 'Unreported' },
    id: filled(status?.['containerID']),
    ranImage: filled(status?.['containerID']) && filled(status?.['image']),
    restartCount: integer(status?.['restartCount']) ?? 0,
    lastExitCode: integer(last['exitCode']),
    lastFinishedAt: parseTime(last['finishedAt']),
  };
}

function narrowState(state: Json): ContainerState {
  const { running, terminated, waiting } = state;
  if (isRecord(terminated)) {
    const exitCode = integer(terminated['exitCode']);
    if (exitCode === undefined) return { kind: 'Unreported' };
    return {
      kind: 'Terminated',
      exitCode,
      signal: integer(terminated['signal']) || undefined,
      reason: filled(terminated['reason']) ?? '',
      finishedAt: parseTime(terminated['finishedAt']),
    };
  }
  if (isRecord(running)) return { kind: 'Running', startedAt: parseTime(running['startedAt']) };
  if (isRecord(waiting)) return { kind: 'Waiting', reason: filled(waiting['reason']) ?? 'Waiting' };
  // Kubernetes' own default for a state that says nothing.
  return { kind: 'Waiting', reason: 'Waiting' };
}

/**
 * A rule whose exit codes cannot be read matches all of them: it is better to leave a pod alone than to end
 * it between two runs.
 */
function narrowRule(rule: Json): RestartRule {
  const { operator, values } = record(rule['exitCodes']);
  const action = filled(rule['action']) ?? '';
  const exitCodes = list(values).flatMap((code) => integer(code) ?? []);
  const isReadable = (operator === 'In' || operator === 'NotIn') && Array.isArray(values);
  if (!isReadable || exitCodes.length < values.length) return { action, operator: 'NotIn', exitCodes: [] };
  return { action, operator, exitCodes };
}

function narrowInitContainer(spec: Json, status: Json | undefined): InitContainerView {
  return {
    name: filled(spec['name']) ?? '',
    image: filled(spec['image']) ?? '',
    state: status ? narrowState(record(status['state'])) : { kind: 'Unreported' },
  };
}

function narrowNativeSidecar(spec: Json, status: Json | undefined, grace: Millis): NativeSidecarView {
  return {
    ...narrowInitContainer(spec, status),
    started: status?.['started'] === true,
    restartCount: integer(status?.['restartCount']) ?? 0,
    startupLimit: startupLimit(spec['startupProbe'], grace),
  };
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

function narrowRestartPolicy(value: unknown): RestartPolicy | undefined {
  return value === 'Always' || value === 'OnFailure' || value === 'Never' ? value : undefined;
}

function words(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? texts(value) : undefined;
}

/** The variables whose value is in the spec. Argo's template is not among them: it has been read above. */
function variables(value: unknown): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name, value: one } of records(value)) {
    if (typeof name === 'string' && typeof one === 'string' && name !== argoTemplate)
      define(values, name, one);
  }
  return values;
}

function strings(value: unknown): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, one] of Object.entries(record(value))) {
    if (typeof one === 'string') define(values, name, one);
  }
  return values;
}

/** As an own property even if it is called `__proto__`. */
function define(values: Record<string, string>, name: string, value: string): void {
  if (name === '__proto__')
    Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
  else values[name] = value;
}
