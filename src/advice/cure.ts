import { ownValue } from '../model/annotations.ts';
import { list, object, text, texts, type Value } from '../model/schema.ts';
import type { Switch } from '../policy/profile.ts';
import { type Origin, type Placed, switchesFor, versionOf } from './cause.ts';
import {
  localPatchCommand,
  type Patched,
  patchCommand,
  patchOperation,
  toAnnotated,
  toNative,
} from './patch.ts';
import { beforeNative, type ClusterVersions, keepsNative } from './versions.ts';

export const cureAdvice = object('how to keep pods from getting stuck again', {
  containers: texts('the sidecars that it is for'),
  does: text('what to do'),
  changes: text('what that changes'),
  versions: text('the versions of the sidecar that it is for, if the version in use is unknown').optional(),
  first: texts('what must be done or checked first'),
  command: text('the command that does it, to paste into a shell').optional(),
  patch: list('the JSON Patch (RFC 6902) in the command', patchOperation).optional(),
  source: text('where the facts come from'),
});
export type CureAdvice = Value<typeof cureAdvice>;
type Applied = Pick<CureAdvice, 'patch' | 'command'>;

/** The cures for the sidecars of one owner, the best ones first. */
export function curesOf(
  origin: Origin,
  sidecars: readonly Placed[],
  versions: ClusterVersions,
): readonly CureAdvice[] {
  const of = (kind: Placed['place']['kind']) => sidecars.filter(({ place }) => place.kind === kind);
  const [own, injected] = [of('Template'), of('Injected')];
  const isBlocked = beforeNative(versions).length > 0;
  const settingsFor = (one: Placed, fits = (_: Switch) => true) =>
    switchesFor(one)
      .filter(fits)
      .map((setting) => settingCure(setting, origin, one, versions));
  return [
    ...(own.length > 0 ? [makeNative(origin, own, injected.length > 0, versions)] : []),
    // Until native sidecars work, the sidecar's other settings may help.
    ...(isBlocked ? own.flatMap((one) => settingsFor(one, ({ native }) => !native)) : []),
    ...injected.flatMap((one) => {
      const cures = settingsFor(one);
      return cures.length > 0 ? cures : [withoutSetting(origin, one)];
    }),
    ...of('Unknown').map((one) => checkTemplate(origin, one, versions)),
  ];
}

const native753 = 'kubernetes/enhancements#753';

function makeNative(
  origin: Origin,
  sidecars: readonly Placed[],
  hasInjected: boolean,
  versions: ClusterVersions,
): CureAdvice {
  const containers = sidecars.map(({ container }) => container.name);
  return {
    containers,
    does: `${moved(containers)}, ${whereOf(origin)}`,
    changes:
      'every pod created from then on starts it before the main containers, which wait for its startup probe and postStart hook, and the ' +
      'kubelet ends it after them; its exit code no longer counts. Pods that are stuck now stay so until they are swept',
    first: beforeNative(versions),
    source: native753,
    ...(keepsNative(versions) && patchNative(origin, sidecars, hasInjected)),
  };
}

/** For a sidecar that the template may or may not have. */
function checkTemplate(
  origin: Origin,
  { container: { name }, place }: Placed,
  versions: ClusterVersions,
): CureAdvice {
  const problem = place.kind === 'Unknown' ? place.problem : '';
  return {
    containers: [name],
    does: `if it is there, ${moved([name])}, ${whereOf(origin)}`,
    changes: 'the kubelet ends a native sidecar after the main containers',
    first: [`see whether that template has it (${problem})`, ...beforeNative(versions)],
    source: native753,
  };
}

function moved(containers: readonly string[]): string {
  return `move ${containers.join(', ')} from containers to initContainers, with restartPolicy: Always`;
}

function whereOf({ kind, name }: Pick<Origin, 'kind' | 'name'>): string {
  if (kind !== 'Job' && kind !== 'Pod') return `in the pod template of ${kind} ${name}`;
  const fixed = kind === 'Job' ? 'the template of a Job' : 'the containers of a pod';
  return `in the manifest that creates ${kind} ${name}: ${fixed} that exists cannot be changed`;
}

function patchNative(origin: Origin, sidecars: readonly Placed[], hasInjected: boolean): Applied | undefined {
  const { kind, reading } = origin;
  const names = sidecars.flatMap(({ container, place }) =>
    place.kind === 'Template' ? [{ name: container.name, index: place.index }] : [],
  );
  if (reading?.kind === 'Present') {
    const { initContainers } = reading.template;
    if (kind === 'CronJob') return applied(origin, toNative(stored(origin), initContainers, names));
    const patch = toNative({ at: '/spec/template' }, initContainers, names);
    return { patch, command: localPatchCommand('job.yaml', patch) };
  }
  const [pod] = sidecars.map((one) => one.pod);
  // Injectors may have added init containers that are not in the manifest.
  if (!pod || pod.owner || hasInjected) return undefined;
  const initContainers = pod.initContainers.length + pod.nativeSidecars.length;
  const patch = toNative({ at: '' }, initContainers, names);
  return { patch, command: localPatchCommand('pod.yaml', patch) };
}

function applied(origin: Origin, patch: NonNullable<CureAdvice['patch']>): Applied {
  return { patch, command: patchCommand(origin, patch) };
}

/** A CronJob of the API server, not a manifest. */
function stored({ uid, reading }: Origin): Patched {
  const generation = reading?.kind === 'Present' ? reading.template.generation : undefined;
  return { at: '/spec/jobTemplate/spec/template', uid, generation };
}

function settingCure(
  setting: Switch,
  origin: Origin,
  sidecar: Placed,
  versions: ClusterVersions,
): CureAdvice {
  const { annotation, does, changes, native, source } = setting;
  const common = { containers: [sidecar.container.name], changes, source };
  const first = native ? beforeNative(versions) : [];
  if (native && annotation && ownValue(sidecar.pod.annotations, annotation.key) === annotation.value) {
    const upgrade = 'upgrade the injector, or restart it if it was upgraded';
    return { ...common, does: `${upgrade}: ${annotation.key} is set, but it was ignored`, first };
  }
  const set = annotation && `set the annotation ${annotation.key}: "${annotation.value}", ${whereOf(origin)}`;
  const ofVersions = versionOf(sidecar) ? undefined : describeVersions(setting);
  return {
    ...common,
    does: [set, does].filter((part) => part !== undefined).join('; '),
    versions: ofVersions,
    first,
    ...((!native || keepsNative(versions)) && annotate(origin, annotation)),
  };
}

function annotate(origin: Origin, annotation: Switch['annotation']): Applied | undefined {
  const { kind, reading } = origin;
  if (!annotation || kind !== 'CronJob' || reading?.kind !== 'Present') return undefined;
  return applied(origin, toAnnotated(stored(origin), reading.template, annotation));
}

function withoutSetting(origin: Origin, { container, profile }: Placed): CureAdvice {
  const common = { containers: [container.name], first: [] };
  if (profile) {
    return {
      ...common,
      does: `keep sweeping: no known setting of ${profile.name} ends it with its pod`,
      changes: 'nothing: each pod waits for a sweep, which knows how to end it',
      source: profile.source ?? 'the policy',
    };
  }
  const key = `sidecar-sweeper.dev/kill-cmd-${container.name}`;
  return {
    ...common,
    does: `set the annotation ${key}: '["sh","-c","kill -%d 1"]' or another command that ends it, ${whereOf(origin)}; better, have its injector make it a native sidecar`,
    changes: 'a sweep ends it by that command; each pod still waits for a sweep',
    source: 'explain --reason BadKillCommand',
  };
}

export function describeVersions({ since, until }: Switch): string | undefined {
  const from = since && `from ${since.join(' or ')} on`;
  const before = until && `before ${until.join(' or ')}`;
  return from && before ? `${from}, ${before}` : (from ?? before);
}
