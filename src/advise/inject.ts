import { own } from '../model/annotations.ts';
import type { Switch } from '../policy/cure.ts';
import type { CureAdvice } from './advice.ts';
import { patchedOf, whereOf } from './move.ts';
import { beforeNative, type ClusterVersions, keepsNative } from './native.ts';
import type { Origin } from './origin.ts';
import { patchCommand, toAnnotated } from './patch.ts';
import type { Placed } from './place.ts';
import { describeVersions, switchesFor, versionOf } from './switches.ts';

/** The cures for a sidecar that an injector adds: the injector's switch and the sidecar's own settings. */
export function throwSwitches(
  origin: Origin,
  sidecar: Placed,
  versions: ClusterVersions,
): readonly CureAdvice[] {
  const cures = switchesFor(sidecar).map((one) => throwSwitch(one, origin, sidecar, versions));
  return cures.length > 0 ? cures : [nothingBetter(origin, sidecar)];
}

/** Those of the settings that need no native sidecars. */
export function throwPlainSwitches(
  origin: Origin,
  sidecar: Placed,
  versions: ClusterVersions,
): readonly CureAdvice[] {
  return switchesFor(sidecar)
    .filter(({ native }) => !native)
    .map((one) => throwSwitch(one, origin, sidecar, versions));
}

/** Some settings only make the sidecar ready to be asked; a native one would not be here. */
function isInVain({ annotation, native }: Switch, { pod }: Placed): boolean {
  return (
    native === true && annotation !== undefined && own(pod.annotations, annotation.key) === annotation.value
  );
}

function throwSwitch(thrown: Switch, origin: Origin, sidecar: Placed, versions: ClusterVersions): CureAdvice {
  const { annotation, does, changes, native, source } = thrown;
  if (isInVain(thrown, sidecar)) {
    return {
      containers: [sidecar.container.name],
      does: `upgrade the injector, or restart it if it was upgraded: ${annotation?.key} is set, but it was ignored`,
      changes,
      first: beforeNative(versions),
      source,
    };
  }
  const set = annotation && `set the annotation ${annotation.key}: "${annotation.value}", ${whereOf(origin)}`;
  const versionsInWords = versionOf(sidecar) ? undefined : describeVersions(thrown);
  const applied = native && !keepsNative(versions) ? undefined : annotate(origin, annotation);
  return {
    containers: [sidecar.container.name],
    does: [set, does].filter((part) => part !== undefined).join('; '),
    changes,
    ...(versionsInWords !== undefined && { versions: versionsInWords }),
    first: native ? beforeNative(versions) : [],
    ...applied,
    source,
  };
}

function annotate(
  origin: Origin,
  annotation: Switch['annotation'],
): Pick<CureAdvice, 'patch' | 'command'> | undefined {
  const { kind, reading } = origin;
  if (!annotation || kind !== 'CronJob' || reading?.kind !== 'Present') return undefined;
  const patch = toAnnotated(patchedOf(origin), reading.template, annotation);
  return { patch, command: patchCommand(origin, patch) };
}

function nothingBetter(origin: Origin, { container, profile }: Placed): CureAdvice {
  const common = { containers: [container.name], first: [] };
  if (profile) {
    return {
      ...common,
      does: `keep sweeping: no setting of ${profile.name} is known that ends it with its pod`,
      changes: 'nothing: each pod waits for a sweep, which knows how to end it',
      source: profile.source ?? 'the policy',
    };
  }
  const key = `sidecar-sweeper.dev/kill-cmd-${container.name}`;
  return {
    ...common,
    does: `set the annotation ${key}: '["sh","-c","kill -%d 1"]' or another command that ends it, ${whereOf(origin)}; better, have its injector make it a native sidecar`,
    changes: 'a sweep ends it by that command; each pod still waits for a sweep',
    source: 'docs/methods.md',
  };
}
