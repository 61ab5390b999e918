import { isDeepStrictEqual } from 'node:util';
import { defaultContainer } from '../../world/defaults.ts';
import type { Pod } from '../../world/objects.ts';
import { type FieldProblem, invalid } from '../status.ts';

/** The subresource ignores everything but the ephemeral containers. */
export function withEphemeralContainers(current: Pod, wanted: Pod): Pod {
  const ephemeralContainers = (wanted.spec?.ephemeralContainers ?? []).map(defaultContainer);
  return { ...current, spec: { ...current.spec, ephemeralContainers } };
}

/** They may be added, but not changed or removed, and a target must be one of the pod's containers. */
export function validateEphemeralContainers(before: Pod, after: Pod): void {
  const old = before.spec.ephemeralContainers ?? [];
  const now = after.spec.ephemeralContainers ?? [];
  const problems: FieldProblem[] = [];
  const taken = new Set(
    [...before.spec.containers, ...(before.spec.initContainers ?? [])].map(({ name }) => name),
  );
  for (const [index, container] of now.entries()) {
    const at = `spec.ephemeralContainers[${index}]`;
    const { name, image, targetContainerName } = container;
    if (!name)
      problems.push({ field: `${at}.name`, reason: 'FieldValueRequired', message: 'Required value' });
    if (!image)
      problems.push({ field: `${at}.image`, reason: 'FieldValueRequired', message: 'Required value' });
    if (taken.has(name)) {
      const message = `Duplicate value: "${name}"`;
      problems.push({ field: `${at}.name`, reason: 'FieldValueDuplicate', message });
    }
    taken.add(name);
    const targets = [...before.spec.containers, ...(before.spec.initContainers ?? [])];
    if (targetContainerName && !targets.some((each) => each.name === targetContainerName)) {
      const message = `Not found: "${targetContainerName}"`;
      problems.push({ field: `${at}.targetContainerName`, reason: 'FieldValueNotFound', message });
    }
  }
  for (const container of old) {
    const kept = now.find(({ name }) => name === container.name);
    if (kept && isDeepStrictEqual(kept, container)) continue;
    const message = kept
      ? `Forbidden: existing ephemeral container "${container.name}" may not be changed\n`
      : `Forbidden: existing ephemeral container "${container.name}" may not be removed\n`;
    problems.push({ field: 'spec.ephemeralContainers', reason: 'FieldValueForbidden', message });
  }
  if (problems.length > 0) throw invalid('Pod', '', before.metadata.name, problems);
}
