import type {
  ContainerState,
  ContainerView,
  InitContainerView,
  NativeSidecarView,
  RestartPolicy,
  RestartRule,
  SwapSign,
} from '../../model/pod.ts';
import { Interned } from '../../util/interned.ts';
import type { Millis } from '../../util/time.ts';
import { filled, integer, isRecord, type Json, list, record, records, texts } from '../json.ts';
import { parseTime } from '../time.ts';
import { define, internText, internTexts } from './interned.ts';
import { parseQuantity } from './requests.ts';

/** The variable in which Argo Workflows puts the template of a pod. */
export const argoTemplate = 'ARGO_TEMPLATE';

const rules = new Interned<readonly RestartRule[]>();
const signs = new Interned<readonly SwapSign[]>();
const variablesOf = new Interned<Readonly<Record<string, string>>>();

/** The facts about a container that decisions rest on, from its spec and its status. */
export function narrowContainer(spec: Json, status: Json | undefined, pod: Json): ContainerView {
  const name = internText(filled(spec['name']) ?? '');
  const last = record(record(status?.['lastState'])['terminated']);
  return {
    name,
    image: internText(filled(spec['image']) ?? ''),
    command: words(spec['command']),
    args: words(spec['args']),
    mounts: internTexts(records(spec['volumeMounts']).flatMap(({ mountPath }) => filled(mountPath) ?? [])),
    pullPolicy: internText(filled(spec['imagePullPolicy']) ?? ''),
    env: variables(spec['env']),
    setsPath: list(spec['envFrom']).length > 0 || records(spec['env']).some(({ name: is }) => is === 'PATH'),
    restartPolicy: narrowRestartPolicy(spec['restartPolicy']),
    restartRules: rules.of(records(spec['restartPolicyRules']).map(narrowRule)),
    swapSigns: signs.of(swapSigns(spec, status, pod)),
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
  // Kubernetes sets one of these at most. Whoever sets several leaves open whether it runs.
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

/** What of a container could make an image swap go otherwise than those that were recorded. */
export function swapSigns(container: Json, status: Json | undefined, pod: Json): readonly SwapSign[] {
  const { lifecycle, startupProbe, livenessProbe } = container;
  return [
    ...(record(lifecycle)['postStart'] ? (['PostStart'] as const) : []),
    ...(startupProbe || livenessProbe ? (['Probes'] as const) : []),
    ...(isResized(pod) || differs(container, status) ? (['Resize'] as const) : []),
  ];
}

/** https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/ */
function isResized({ resize, conditions }: Json): boolean {
  const types = ['PodResizePending', 'PodResizeInProgress'];
  // Before Kubernetes 1.33, the status had a field for it.
  if (filled(resize) !== undefined) return true;
  return records(conditions).some(({ type, status }) => types.includes(String(type)) && status === 'True');
}

/** Whether the kubelet has allocated something else than the spec asks for by now. */
function differs({ resources }: Json, status: Json | undefined): boolean {
  const asked = record(record(resources)['requests']);
  return Object.entries(record(status?.['allocatedResources'])).some(
    ([name, allocated]) =>
      asked[name] !== undefined && parseQuantity(asked[name]) !== parseQuantity(allocated),
  );
}
