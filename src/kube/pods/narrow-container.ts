import type { Millis } from '../../duration.ts';
import { Interned } from '../../interned.ts';
import type {
  ContainerState,
  ContainerView,
  InitContainerView,
  NativeSidecarView,
  RestartPolicy,
  RestartRule,
  SwapSign,
} from '../../model/pod.ts';
import { filled, integer, isRecord, type Json, list, record, records, texts } from '../json.ts';
import { parseTime } from '../time.ts';
import { internText, internTexts } from './interned.ts';
import { argoTemplate } from './narrow-argo.ts';
import { define } from './own-fields.ts';
import { startupLimit } from './startup-limit.ts';
import { swapSigns } from './swap-signs.ts';

const rules = new Interned<readonly RestartRule[]>();
const signs = new Interned<readonly SwapSign[]>();

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

/** What lists of variables give: the same list may be that of many containers. */
const variablesOf = new WeakMap<object, Readonly<Record<string, string>>>();

/** The variables whose value is in the spec. Argo's template is not among them: it has been read above. */
function variables(spec: unknown): Readonly<Record<string, string>> {
  const listed = list(spec);
  const known = variablesOf.get(listed);
  if (known) return known;
  const values: Record<string, string> = {};
  for (const { name, value } of records(listed)) {
    if (typeof name === 'string' && typeof value === 'string' && name !== argoTemplate)
      define(values, name, value);
  }
  variablesOf.set(listed, values);
  return values;
}
