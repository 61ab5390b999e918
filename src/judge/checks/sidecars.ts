import type { Check } from './subject.ts';

export const noSidecar: Check<'NoSidecar'> = ({ sidecars }) =>
  sidecars.length === 0 ? [{ kind: 'NoSidecar' }] : [];

export const noRunningSidecar: Check<'NoRunningSidecar'> = ({ sidecars }) => {
  if (sidecars.length === 0) return [];
  const oneRuns = sidecars.some(({ container }) => container.state.kind === 'Running');
  return oneRuns ? [] : [{ kind: 'NoRunningSidecar' }];
};

/** Since Kubernetes 1.35, a restart rule can restart all containers when one of them ends, even a sidecar. */
export const restartsOthers: Check<'RestartsOthers'> = ({ pod }) =>
  pod.containers.flatMap(({ name, restartRules }) => {
    const rule = restartRules.find(({ action }) => action !== 'Restart');
    return rule ? [{ kind: 'RestartsOthers' as const, container: name, action: rule.action }] : [];
  });
