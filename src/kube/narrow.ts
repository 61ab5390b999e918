import type {
  ContainerState,
  ContainerView,
  Millis,
  NativeSidecarView,
  PodView,
  RestartPolicy,
  RestartRule,
} from '../vocabulary.ts';
import { argoTemplate, narrowArgo } from './narrow-argo.ts';
import { podRequests } from './pod-requests.ts';
import { isRecord } from './problem.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Takes from a pod of the API the facts that decisions rest on. The server's word is not trusted for its shape:
 * what is not a pod gives the reason why.
 */
export function narrowPod(value: unknown): PodView | { readonly problem: string } {
  if (!isRecord(value)) return { problem: 'not an object' };
  const metadata = record(value['metadata']);
  const spec = record(value['spec']);
  const status = record(value['status']);
  const { namespace, name, uid } = metadata;
  if (typeof namespace !== 'string' || typeof name !== 'string' || typeof uid !== 'string') {
    return { problem: 'no namespace, name or uid' };
  }
  const restartPolicy = narrowRestartPolicy(spec['restartPolicy']);
  if (!restartPolicy) return { problem: 'no restartPolicy' };
  const specs = records(spec['containers']);
  if (specs.length === 0) return { problem: 'no containers' };
  if (specs.some((container) => string(container['name']) === undefined))
    return { problem: 'a container without a name' };
  const initSpecs = records(spec['initContainers']);
  const statuses = records(status['containerStatuses']);
  const phase = string(status['phase']) ?? 'Unknown';
  const labels = strings(metadata['labels']);
  const annotations = strings(metadata['annotations']);
  const owner = records(metadata['ownerReferences']).find((reference) => reference['controller'] === true);
  return {
    ref: { namespace, name, uid },
    node: string(spec['nodeName']),
    phase,
    reason: string(status['reason']),
    deleting: metadata['deletionTimestamp'] !== undefined && metadata['deletionTimestamp'] !== null,
    restartPolicy,
    processNamespace:
      spec['hostPID'] === true ? 'Node' : spec['shareProcessNamespace'] === true ? 'Pod' : 'Container',
    hostNetwork: spec['hostNetwork'] === true,
    os: string(record(spec['os'])['name']) ?? string(record(spec['nodeSelector'])['kubernetes.io/os']),
    grace: Math.max(0, integer(spec['terminationGracePeriodSeconds']) ?? 30) * 1000,
    owner: owner && {
      kind: string(owner['kind']) ?? '',
      name: string(owner['name']) ?? '',
      uid: string(owner['uid']) ?? '',
    },
    labels,
    annotations,
    requests: podRequests(spec),
    containers: specs.map((container) => narrowContainer(container, statuses)),
    nativeSidecars: initSpecs.flatMap(narrowNativeSidecar),
    initContainers: initSpecs.filter((init) => init['restartPolicy'] !== 'Always').flatMap(nameOf),
    ephemeralContainers: records(spec['ephemeralContainers']).flatMap(nameOf),
    argo: narrowArgo(owner, labels, annotations, [...initSpecs, ...specs]),
    // A pod that waits for a node has no statuses yet, and nothing is wrong with it.
    statusProblems: phase === 'Pending' && statuses.length === 0 ? [] : statusProblems(specs, statuses),
    awaitsJobTracking:
      Array.isArray(metadata['finalizers']) &&
      metadata['finalizers'].includes('batch.kubernetes.io/job-tracking'),
  };
}

function narrowContainer(spec: Json, statuses: readonly Json[]): ContainerView {
  const name = string(spec['name']) ?? '';
  const status = statuses.find((candidate) => candidate['name'] === name);
  const last = record(record(status?.['lastState'])['terminated']);
  return {
    name,
    image: string(spec['image']) ?? '',
    command: words(spec['command']),
    args: words(spec['args']),
    env: variables(spec['env']),
    restartPolicy: narrowRestartPolicy(spec['restartPolicy']),
    restartRules: records(spec['restartPolicyRules']).map(narrowRule),
    state: status ? narrowState(record(status['state'])) : { kind: 'Unreported' },
    id: string(status?.['containerID']),
    restartCount: integer(status?.['restartCount']) ?? 0,
    lastExitCode: integer(last['exitCode']),
    lastFinishedAt: time(last['finishedAt']),
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
      reason: string(terminated['reason']) ?? '',
      finishedAt: time(terminated['finishedAt']),
    };
  }
  if (isRecord(running)) return { kind: 'Running', startedAt: time(running['startedAt']) };
  if (isRecord(waiting)) return { kind: 'Waiting', reason: string(waiting['reason']) ?? 'Waiting' };
  // Kubernetes' own default for a state without a member.
  return { kind: 'Waiting', reason: 'Waiting' };
}

/** A rule without readable exit codes matches every one: better to leave a pod alone than to end it between two runs. */
function narrowRule(rule: Json): RestartRule {
  const { operator, values } = record(rule['exitCodes']);
  const action = string(rule['action']) ?? '';
  const exitCodes = Array.isArray(values) ? values.filter((code) => integer(code) !== undefined) : [];
  const isReadable = (operator === 'In' || operator === 'NotIn') && Array.isArray(values);
  if (!isReadable || exitCodes.length < values.length) return { action, operator: 'NotIn', exitCodes: [] };
  return { action, operator, exitCodes };
}

function narrowNativeSidecar(spec: Json): readonly NativeSidecarView[] {
  if (spec['restartPolicy'] !== 'Always') return [];
  return [{ name: string(spec['name']) ?? '', image: string(spec['image']) ?? '' }];
}

function nameOf(spec: Json): readonly string[] {
  const name = string(spec['name']);
  return name === undefined ? [] : [name];
}

function statusProblems(specs: readonly Json[], statuses: readonly Json[]): readonly string[] {
  const problems: string[] = [];
  const count = (name: unknown) => statuses.filter((status) => status['name'] === name).length;
  for (const [index, { name }] of specs.entries()) {
    if (specs.findIndex((spec) => spec['name'] === name) < index) {
      problems.push(`several containers are called ${name}`);
    }
    if (count(name) === 0) problems.push(`container ${name} has no status`);
    if (count(name) > 1) problems.push(`container ${name} has several statuses`);
  }
  for (const status of statuses) {
    if (specs.some((spec) => spec['name'] === status['name'])) continue;
    problems.push(`a status names ${string(status['name']) ?? 'nothing'}, which the spec does not`);
  }
  return problems;
}

/** Kubernetes' zero time is written as null, and by some controllers as the year 1. */
function time(value: unknown): Millis | undefined {
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return parsed > 0 ? parsed : undefined;
}

function narrowRestartPolicy(value: unknown): RestartPolicy | undefined {
  return value === 'Always' || value === 'OnFailure' || value === 'Never' ? value : undefined;
}

function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function records(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What Kubernetes calls a number here is always a whole one. */
function integer(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

function words(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : undefined;
}

/** Variables whose value stands in the spec; those from elsewhere are not known. Argo's template is read once, above. */
function variables(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    records(value).flatMap(({ name, value }) =>
      typeof name === 'string' && typeof value === 'string' && name !== argoTemplate ? [[name, value]] : [],
    ),
  );
}

function strings(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(record(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
