import type { CureAdvice, PatchOperation } from './advice.ts';
import { beforeNative, type ClusterVersions, keepsNative } from './native.ts';
import type { Origin } from './origin.ts';
import { localPatchCommand, type Patched, patchCommand, toNative } from './patch.ts';
import type { Placed } from './place.ts';

const changes =
  'every pod made from then on starts it before the main containers, and the kubelet ends it after them; its exit code no longer ' +
  'counts. Pods that are stuck now stay so until they are swept';

/** The cure for sidecars that the owner's own template has: all of them become native ones, in one patch. */
export function moveToInit(
  origin: Origin,
  sidecars: readonly Placed[],
  hasInjected: boolean,
  versions: ClusterVersions,
): CureAdvice {
  const containers = sidecars.map(({ container }) => container.name);
  const moved = `move ${containers.join(', ')} from containers to initContainers, with restartPolicy: Always`;
  const common = {
    containers,
    changes,
    first: beforeNative(versions),
    source: 'kubernetes/enhancements#753',
  };
  const applied = keepsNative(versions) ? applyTo(origin, sidecars, hasInjected) : undefined;
  return { ...common, does: `${moved}, ${whereOf(origin)}`, ...applied };
}

/** The place that holds the template of an origin, in words. */
export function whereOf({ kind, name }: Pick<Origin, 'kind' | 'name'>): string {
  switch (kind) {
    case 'Job':
      return `in the manifest that makes Job ${name}: the template of a Job that exists cannot be changed`;
    case 'Pod':
      return `in the manifest that makes Pod ${name}: the containers of a pod that exists cannot be changed`;
    default:
      return `in the pod template of ${kind} ${name}`;
  }
}

/** What a patch must know of an origin that the API server has. */
export function patchedOf({ uid, reading }: Origin): Patched {
  const generation = reading?.kind === 'Present' ? reading.template.generation : undefined;
  return { at: '/spec/jobTemplate/spec/template', uid, generation };
}

function applyTo(
  origin: Origin,
  sidecars: readonly Placed[],
  hasInjected: boolean,
): { readonly patch: readonly PatchOperation[]; readonly command: string } | undefined {
  const moved = sidecars.flatMap(({ container, place }) =>
    place.kind === 'Template' ? [{ name: container.name, index: place.index }] : [],
  );
  const { kind, reading } = origin;
  if (reading?.kind === 'Present') {
    const { initContainers } = reading.template;
    if (kind === 'CronJob') {
      const patch = toNative(patchedOf(origin), initContainers, moved);
      return { patch, command: patchCommand(origin, patch) };
    }
    const patch = toNative({ at: '/spec/template', ...notStored }, initContainers, moved);
    return { patch, command: localPatchCommand('job.yaml', patch) };
  }
  const [pod] = sidecars.map((one) => one.pod);
  // What injectors added to the init containers is not known from what the manifest has.
  if (!pod || pod.owner || hasInjected) return undefined;
  const patch = toNative(
    { at: '', ...notStored },
    pod.initContainers.length + pod.nativeSidecars.length,
    moved,
  );
  return { patch, command: localPatchCommand('pod.yaml', patch) };
}

const notStored = { uid: undefined, generation: undefined };
