import type {
  ContainerState,
  ContainerView,
  InitContainerView,
  NativeSidecarView,
  Resources,
  RestartPolicy,
  RestartRule,
} from '../../model/pod.ts';
import { Interned } from '../../util/interned.ts';
import type { Millis } from '../../util/time.ts';
import {
  define,
  filled,
  integer,
  internText,
  internTexts,
  isRecord,
  type Json,
  list,
  parseTime,
  record,
  records,
  texts,
} from '../json.ts';

/** The variable in which Argo Workflows puts the template of a pod. */
export const argoTemplate = 'ARGO_TEMPLATE';

const rules = new Interned<readonly RestartRule[]>();
const variablesOf = new Interned<Readonly<Record<string, string>>>();

/** The facts about a container that decisions rest on, from its spec and its status. */
export function narrowContainer(spec: Json, status: Json | undefined, _pod: Json): ContainerView {
  const name = internText(filled(spec['name']) ?? '');
  const last = record(record(status?.['lastState'])['terminated']);
  return {
    name,
    image: internText(filled(spec['image']) ?? ''),
    command: words(spec['command']),
    args: words(spec['args']),
    mounts: internTexts(records(spec['volumeMounts']).flatMap(({ mountPath }) => filled(mountPath) ?? [])),
    env: variables(spec['env']),
    setsPath: list(spec['envFrom']).length > 0 || records(spec['env']).some(({ name: is }) => is === 'PATH'),
    restartPolicy: narrowRestartPolicy(spec['restartPolicy']),
    restartRules: rules.of(records(spec['restartPolicyRules']).map(narrowRule)),
    state: status ? narrowState(record(status['state'])) : { kind: 'Unreported' },
    id: filled(status?.['containerID']),
    ranImage: filled(status?.['containerID']) && internText(filled(status?.['image'])),
    restartCount: integer(status?.['restartCount']) ?? 0,
    lastExitCode: integer(last['exitCode']),
    lastFinishedAt: parseTime(last['finishedAt']),
  };
}

function narrowState(state: Json): ContainerState {
  const { running, terminated, waiting } = state;
  // Kubernetes sets one of these at most. With several, it is unknown whether the container runs.
  if ([running, terminated, waiting].filter(isRecord).length > 1) return { kind: 'Unreported' };
  if (isRecord(terminated)) {
    const exitCode = integer(terminated['exitCode']);
    if (exitCode === undefined) return { kind: 'Unreported' };
    return {
      kind: 'Terminated',
      exitCode,
      signal: integer(terminated['signal']) || undefined,
      reason: internText(filled(terminated['reason']) ?? ''),
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

export function narrowInitContainer(spec: Json, status: Json | undefined): InitContainerView {
  return {
    name: filled(spec['name']) ?? '',
    image: filled(spec['image']) ?? '',
    state: status ? narrowState(record(status['state'])) : { kind: 'Unreported' },
  };
}

export function narrowNativeSidecar(spec: Json, status: Json | undefined, grace: Millis): NativeSidecarView {
  return {
    ...narrowInitContainer(spec, status),
    started: status?.['started'] === true,
    restartCount: integer(status?.['restartCount']) ?? 0,
    startupLimit: startupLimit(spec['startupProbe'], grace),
  };
}

const restartPolicies: readonly RestartPolicy[] = ['Always', 'OnFailure', 'Never'];

export function narrowRestartPolicy(value: unknown): RestartPolicy | undefined {
  return restartPolicies.find((policy) => policy === value);
}

function words(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? internTexts(texts(value)) : undefined;
}

/** The variables whose value is in the spec, except for Argo's template, which is read elsewhere. */
function variables(spec: unknown): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name, value } of records(spec)) {
    if (typeof name === 'string' && typeof value === 'string' && name !== argoTemplate)
      define(values, name, value);
  }
  return variablesOf.of(values);
}

/**
 * How long a container may run until its startup probe has passed or the kubelet has killed it: the probe begins up to a period
 * late, may fail as often as it is allowed, each time after its timeout, and the container has its grace period.
 * https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
 */
export function startupLimit(probe: unknown, grace: Millis): Millis | undefined {
  if (!isRecord(probe)) return undefined;
  // The API server takes 0 for unset as well.
  const seconds = (field: string, byDefault: number) => integer(probe[field]) || byDefault;
  const each = Math.max(seconds('periodSeconds', 10), seconds('timeoutSeconds', 1));
  const probing = seconds('initialDelaySeconds', 0) + (seconds('failureThreshold', 3) + 1) * each;
  return probing * 1000 + Math.max(grace, seconds('terminationGracePeriodSeconds', 0) * 1000);
}

const none: Resources = { cpu: 0, memory: 0 };

/**
 * What the scheduler counts against the node until the pod has ended, containers that have ended included.
 * Init containers run one after another, alongside the native sidecars before them.
 * https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
 */
export function podRequests(spec: Json): Resources {
  let native = none;
  let starting = none;
  for (const container of records(spec['initContainers'])) {
    const own = requestsOf(container);
    if (container['restartPolicy'] === 'Always') native = add(native, own);
    starting = most(starting, container['restartPolicy'] === 'Always' ? native : add(native, own));
  }
  const running = records(spec['containers']).map(requestsOf).reduce(add, native);
  const summed = most(running, starting);
  // Since 1.34, a pod as a whole can have requests.
  const { cpu, memory } = record(record(spec['resources'])['requests']);
  const whole = {
    cpu: cpu === undefined ? summed.cpu : parseQuantity(cpu),
    memory: memory === undefined ? summed.memory : parseQuantity(memory),
  };
  return add(whole, toResources(record(spec['overhead'])));
}

function requestsOf(container: Json): Resources {
  return toResources(record(record(container['resources'])['requests']));
}

function toResources({ cpu, memory }: Json): Resources {
  return { cpu: parseQuantity(cpu), memory: parseQuantity(memory) };
}

function add(a: Resources, b: Resources): Resources {
  return { cpu: a.cpu + b.cpu, memory: a.memory + b.memory };
}

function most(a: Resources, b: Resources): Resources {
  return { cpu: Math.max(a.cpu, b.cpu), memory: Math.max(a.memory, b.memory) };
}

const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * Reads a quantity of Kubernetes (`250m`, `1.5`, `64Mi`, `1e3`) as a number; 0 for anything else.
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function parseQuantity(value: unknown): number {
  // The API writes quantities as strings; older objects may have plain numbers.
  if (typeof value !== 'string' && typeof value !== 'number') return 0;
  const [, number, suffix] =
    /^(\d+(?:\.\d*)?(?:[eE][+-]?\d{1,2})?)([A-Za-z]{0,2})$/.exec(String(value)) ?? [];
  const factor = suffix !== undefined && Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : undefined;
  return number === undefined || factor === undefined ? 0 : Number(number) * factor;
}
