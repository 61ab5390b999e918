import { isDeepStrictEqual } from 'node:util';
import type { Container, KubeObject, Pod } from '../../world/objects.ts';
import { type FieldProblem, fieldError, invalid } from '../status.ts';

/** Validates a new pod, limited to mistakes that manifests of tests and users contain. */
export function validatePod(object: KubeObject): void {
  const problems = podSpecProblems(object['spec'], 'spec');
  if (problems.length > 0) throw invalid('Pod', '', object.metadata.name, problems);
}

export function validateJob(object: KubeObject): void {
  const spec = object['spec'] as { template?: { spec?: Partial<Pod['spec']> } } | undefined;
  const template = spec?.template?.spec;
  const problems = podSpecProblems(template, 'spec.template.spec');
  const policy = template?.restartPolicy;
  if (template && policy !== 'Never' && policy !== 'OnFailure') {
    const at = 'spec.template.spec.restartPolicy';
    const valid = '"OnFailure", "Never"';
    problems.push(
      policy
        ? fieldError('NotSupported', at, `"${policy}": supported values: ${valid}`)
        : fieldError('Required', at, `valid values: ${valid}`),
    );
  }
  if (problems.length > 0) throw invalid('Job', 'batch', object.metadata.name, problems);
}

function podSpecProblems(spec: unknown, path: string): FieldProblem[] {
  const { containers, initContainers = [], ...rest } = (spec ?? {}) as Partial<Pod['spec']>;
  const regular = Array.isArray(containers) ? containers : [];
  return [
    ...(regular.length === 0 ? [fieldError('Required', `${path}.containers`)] : []),
    ...containerProblems(regular, `${path}.containers`),
    ...containerProblems(initContainers, `${path}.initContainers`, regular),
    ...initProblems(initContainers, `${path}.initContainers`),
    ...deadlineProblems(rest.activeDeadlineSeconds, path),
  ];
}

const maxInt32 = 2_147_483_647;

function deadlineProblems(seconds: number | null | undefined, path: string): FieldProblem[] {
  if (seconds === undefined || seconds === null || (seconds >= 1 && seconds <= maxInt32)) return [];
  const detail = `${seconds}: must be between 1 and ${maxInt32}, inclusive`;
  return [fieldError('Invalid', `${path}.activeDeadlineSeconds`, detail)];
}

/** Names are unique among regular and init containers: validateInitContainers in pkg/apis/core/validation. */
function containerProblems(
  containers: readonly Container[],
  path: string,
  regular: readonly Container[] = [],
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const seen = new Set(regular.map(({ name }) => name));
  for (const [index, { name, image }] of containers.entries()) {
    const at = `${path}[${index}]`;
    if (!name) problems.push(fieldError('Required', `${at}.name`));
    else if (seen.has(name)) problems.push(fieldError('Duplicate', `${at}.name`, `"${name}"`));
    seen.add(name);
    if (!image) problems.push(fieldError('Required', `${at}.image`));
  }
  return problems;
}

/** What only native sidecars and regular containers may have. */
const ofRunning = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];

function initProblems(containers: readonly Container[], path: string): FieldProblem[] {
  const why = 'may not be set for init containers without restartPolicy=Always';
  return containers.flatMap((container, index) =>
    ofRunning
      .filter((field) => container.restartPolicy !== 'Always' && container[field] !== undefined)
      .map((field) => fieldError('Forbidden', `${path}[${index}].${field}`, why)),
  );
}

const onlyTheseMayChange =
  'pod updates may not change fields other than `spec.containers[*].image`,' +
  '`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing ' +
  'tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Little of a pod's spec may change: images, a lower deadline, additional tolerations. */
export function validatePodUpdate(before: Pod, after: Pod): void {
  const ofDeadline = [
    ...deadlineProblems(after.spec.activeDeadlineSeconds, 'spec'),
    ...loweredDeadlineProblems(before, after),
  ];
  const problems = ofDeadline.length > 0 ? ofDeadline : immutableFieldProblems(before, after);
  if (problems.length > 0) throw invalid('Pod', '', before.metadata.name, problems);
}

function loweredDeadlineProblems(before: Pod, after: Pod): FieldProblem[] {
  const old = before.spec.activeDeadlineSeconds;
  const now = after.spec.activeDeadlineSeconds ?? undefined;
  if (old === undefined || (now !== undefined && now <= old)) return [];
  const why = 'must be less than or equal to previous value';
  return [fieldError('Invalid', 'spec.activeDeadlineSeconds', `${now ?? null}: ${why}`)];
}

function immutableFieldProblems(before: Pod, after: Pod): FieldProblem[] {
  for (const list of ['containers', 'initContainers'] as const) {
    if ((before.spec[list]?.length ?? 0) !== (after.spec[list]?.length ?? 0)) {
      return [fieldError('Forbidden', `spec.${list}`, 'pod updates may not add or remove containers')];
    }
  }
  if (isDeepStrictEqual(withWhatMayChange(before, after), before.spec)) return [];
  // A real server's diff of its internal objects follows.
  return [fieldError('Forbidden', 'spec', `${onlyTheseMayChange}\n@@ -1,1 +1,1 @@`)];
}

/** The new spec with every mutable field reset to its old value. */
function withWhatMayChange(before: Pod, after: Pod): Pod['spec'] {
  const { activeDeadlineSeconds, ...spec } = after.spec;
  const restoreImages = (now: readonly Container[], old: readonly Container[]) =>
    now.map((container, index) => ({ ...container, image: old[index]?.image ?? container.image }));
  const restored: Pod['spec'] = {
    ...spec,
    containers: restoreImages(spec.containers, before.spec.containers),
    ...(spec.initContainers
      ? { initContainers: restoreImages(spec.initContainers, before.spec.initContainers ?? []) }
      : {}),
  };
  if (before.spec.activeDeadlineSeconds !== undefined) {
    restored.activeDeadlineSeconds = before.spec.activeDeadlineSeconds;
  }
  const tolerations = (before.spec['tolerations'] ?? []) as unknown[];
  const wanted = (spec['tolerations'] ?? []) as unknown[];
  if (tolerations.every((old) => wanted.some((each) => isDeepStrictEqual(each, old)))) {
    restored['tolerations'] = before.spec['tolerations'];
  }
  if ((before.spec.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1) {
    restored.terminationGracePeriodSeconds = before.spec.terminationGracePeriodSeconds ?? 0;
  }
  return withGatesOf(before.spec, restored);
}

type Spec = Pod['spec'];

/**
 * What else may change in a pod that waits for its scheduling gates: they may be removed, and where it may run may be
 * narrowed. https://kubernetes.io/docs/concepts/scheduling-eviction/pod-scheduling-readiness/
 */
function withGatesOf(before: Spec, after: Spec): Spec {
  const gates = listOf(before['schedulingGates']);
  const left = listOf(after['schedulingGates']);
  const areFewer = left.every((gate) => gates.some((each) => isDeepStrictEqual(each, gate)));
  const selector = Object.entries(before['nodeSelector'] ?? {});
  const isNarrower = selector.every(([key, value]) => Object(after['nodeSelector'])[key] === value);
  const ungated = areFewer ? reset(after, before, 'schedulingGates') : after;
  return gates.length > 0 && isNarrower ? reset(ungated, before, 'nodeSelector') : ungated;
}

function reset(spec: Spec, before: Spec, field: string): Spec {
  const { [field]: changed, ...rest } = spec;
  return (before[field] === undefined ? rest : { ...rest, [field]: before[field] }) as Spec;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
