import { isDeepStrictEqual } from 'node:util';
import type { Container, Pod } from '../../world/objects.ts';
import { type FieldProblem, invalid } from '../status.ts';
import { withGatesOf } from './gated.ts';
import { deadlineProblems } from './pod.ts';
import { podSpecDiff } from './pod-spec-diff.ts';

const onlyTheseMayChange =
  'Forbidden: pod updates may not change fields other than `spec.containers[*].image`,' +
  '`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing ' +
  'tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Little of a pod's spec may change: images, a lower deadline, additional tolerations. */
export function validatePodUpdate(before: Pod, after: Pod): void {
  const problems = [
    ...deadlineProblems(after.spec.activeDeadlineSeconds, 'spec'),
    ...loweredDeadlineProblems(before, after),
  ];
  if (problems.length === 0) problems.push(...immutableFieldProblems(before, after));
  if (problems.length > 0) throw invalid('Pod', '', before.metadata.name, problems);
}

function loweredDeadlineProblems(before: Pod, after: Pod): FieldProblem[] {
  const old = before.spec.activeDeadlineSeconds;
  const now = after.spec.activeDeadlineSeconds ?? undefined;
  if (old === undefined || (now !== undefined && now <= old)) return [];
  const why =
    now === undefined
      ? 'Invalid value: null: must not update from a positive integer to nil value'
      : `Invalid value: ${now}: must be less than or equal to previous value`;
  return [{ field: 'spec.activeDeadlineSeconds', reason: 'FieldValueInvalid', message: why }];
}

function immutableFieldProblems(before: Pod, after: Pod): FieldProblem[] {
  for (const list of ['containers', 'initContainers'] as const) {
    if ((before.spec[list]?.length ?? 0) !== (after.spec[list]?.length ?? 0)) {
      const message = 'Forbidden: pod updates may not add or remove containers';
      return [{ field: `spec.${list}`, reason: 'FieldValueForbidden', message }];
    }
  }
  if (isDeepStrictEqual(withWhatMayChange(before, after), before.spec)) return [];
  const message = `${onlyTheseMayChange}\n${podSpecDiff(before.spec, after.spec)}`;
  return [{ field: 'spec', reason: 'FieldValueForbidden', message }];
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
