import type {
  ContainerState,
  ContainerView,
  InitContainerView,
  NativeSidecarView,
  Resources,
  RestartPolicy,
  RestartRule,
} from '../../model/pod.ts';
import { define, Interned, internTexts } from '../../util/json.ts';
import type { Millis } from '../../util/time.ts';
import {
  type ApiContainer,
  type ApiContainerStatus,
  type ApiPodSpec,
  type ApiProbe,
  argoTemplate,
} from './message.ts';

const rules = new Interned<readonly RestartRule[]>();
const variablesOf = new Interned<Readonly<Record<string, string>>>();

/** @param isAsCreated whether no field of the pod's spec has changed since, so that no image has been replaced. */
export function narrowContainer(
  spec: ApiContainer,
  status: ApiContainerStatus | undefined,
  isAsCreated: boolean,
): ContainerView {
  const last = status?.lastState.terminated;
  return {
    name: spec.name ?? '',
    image: spec.image ?? '',
    command: spec.command.length > 0 ? internTexts(spec.command) : undefined,
    args: spec.args.length > 0 ? internTexts(spec.args) : undefined,
    mounts: internTexts(spec.volumeMounts.flatMap(({ mountPath }) => mountPath ?? [])),
    env: variables(spec.env),
    pullPolicy: spec.imagePullPolicy,
    setsPath: spec.envFrom.length > 0 || spec.env.some(({ key }) => key === 'PATH'),
    restartPolicy: narrowRestartPolicy(spec.restartPolicy),
    restartRules: rules.of(spec.restartPolicyRules.map(narrowRule)),
    state: narrowState(status),
    id: status?.containerID,
    // Of an image with several names, the runtime may give any.
    ranImage: status?.containerID && !isAsCreated ? status.image : undefined,
    restartCount: status?.restartCount ?? 0,
    lastExitCode: last?.exitCode,
    lastFinishedAt: last?.finishedAt,
  };
}

function narrowState(status: ApiContainerStatus | undefined): ContainerState {
  if (!status) return { kind: 'Unreported' };
  const { running, terminated, waiting } = status.state;
  // With several, of which Kubernetes sets one at most, it is unknown whether the container runs.
  if ([running, terminated, waiting].filter(Boolean).length > 1) return { kind: 'Unreported' };
  if (terminated) {
    const { exitCode, signal, reason = '', finishedAt } = terminated;
    if (exitCode === undefined) return { kind: 'Unreported' };
    return { kind: 'Terminated', exitCode, signal: signal || undefined, reason, finishedAt };
  }
  if (running) return { kind: 'Running', startedAt: running.startedAt };
  // Kubernetes' own default for a state that says nothing.
  return { kind: 'Waiting', reason: waiting?.reason ?? 'Waiting' };
}

/** A rule that cannot be read matches all exit codes: better to leave a pod alone than to end it between two runs. */
function narrowRule({ action = '', exitCodes }: ApiContainer['restartPolicyRules'][0]): RestartRule {
  const { operator, values } = exitCodes;
  const codes = values.flatMap((code) => code ?? []);
  const isReadable = values.length > 0 && codes.length === values.length;
  return isReadable && (operator === 'In' || operator === 'NotIn')
    ? { action, operator, exitCodes: codes }
    : { action, operator: 'NotIn', exitCodes: [] };
}

export function narrowInitContainer(
  { name = '', image = '' }: ApiContainer,
  status: ApiContainerStatus | undefined,
): InitContainerView {
  return { name, image, state: narrowState(status) };
}

export function narrowNativeSidecar(
  spec: ApiContainer,
  status: ApiContainerStatus | undefined,
  grace: Millis,
): NativeSidecarView {
  return {
    ...narrowInitContainer(spec, status),
    started: status?.started === true,
    restartCount: status?.restartCount ?? 0,
    restartRules: rules.of(spec.restartPolicyRules.map(narrowRule)),
    startupLimit: spec.startupProbe && startupLimit(spec.startupProbe, grace),
  };
}

const restartPolicies: readonly RestartPolicy[] = ['Always', 'OnFailure', 'Never'];

export function narrowRestartPolicy(value: string | undefined): RestartPolicy | undefined {
  return restartPolicies.find((policy) => policy === value);
}

/** The variables whose value is in the spec, except for Argo's template, which is read elsewhere. */
function variables(env: ApiContainer['env']): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { key, value } of env) {
    if (value !== '' && key !== argoTemplate.variable) define(values, key, value);
  }
  return variablesOf.of(values);
}

/** The probe starts up to a period late, each failure may take its whole timeout, and then there is the grace period. */
export function startupLimit(probe: Partial<ApiProbe>, grace: Millis): Millis {
  // The API server takes 0 for unset as well.
  const each = Math.max(probe.periodSeconds || 10, probe.timeoutSeconds || 1);
  const probing = (probe.initialDelaySeconds || 0) + ((probe.failureThreshold || 3) + 1) * each;
  return probing * 1000 + Math.max(grace, (probe.terminationGracePeriodSeconds || 0) * 1000);
}

/** The requests that the scheduler counts against the node until the pod has ended, those of ended containers included. */
export function podRequests(spec: ApiPodSpec): Resources {
  return { cpu: requested(spec, 'cpu'), memory: requested(spec, 'memory') };
}

/**
 * Init containers run one after another, alongside the native sidecars before them.
 * https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
 */
function requested(
  { containers, initContainers, resources, overhead }: ApiPodSpec,
  resource: keyof Resources,
): number {
  let native = 0;
  let starting = 0;
  const own = ({ resources: { requests } }: ApiContainer) => parseQuantity(requests[resource]);
  for (const container of initContainers) {
    if (container.restartPolicy === 'Always') native += own(container);
    starting = Math.max(starting, container.restartPolicy === 'Always' ? native : native + own(container));
  }
  const running = containers.reduce((sum, container) => sum + own(container), native);
  // Since 1.34, a pod as a whole can have requests.
  const whole = resources.requests[resource];
  const summed = whole === undefined ? Math.max(running, starting) : parseQuantity(whole);
  return summed + parseQuantity(overhead[resource]);
}

const suffixes = new Map(
  ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].flatMap((suffix, index) => [
    [suffix, 1000 ** (index - 3)] as const,
    ...(index > 3 ? [[`${suffix === 'k' ? 'K' : suffix}i`, 1024 ** (index - 3)] as const] : []),
  ]),
);

/** 0 for what is none (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/). */
export function parseQuantity(value: string | undefined): number {
  const [, number, suffix = ''] =
    /^(\d+(?:\.\d*)?(?:[eE][+-]?\d{1,2})?)([A-Za-z]{0,2})$/.exec(value ?? '') ?? [];
  return Number(number ?? 0) * (suffixes.get(suffix) ?? 0);
}
