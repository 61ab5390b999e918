import { annotation, mirrorPodKey, ownKeys } from '../../pod/annotations.ts';
import { saysNo } from '../../pod/values.ts';
import type { Check } from './subject.ts';

const systemNamespaces: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease'];

export const ownPod: Check<'OwnPod'> = ({ pod, facts }) => {
  const { self } = facts;
  const isOwn = self?.namespace === pod.ref.namespace && self.name === pod.ref.name;
  return isOwn ? [{ kind: 'OwnPod' }] : [];
};

export const systemNamespace: Check<'SystemNamespace'> = ({ pod, policy }) => {
  const { namespace } = pod.ref;
  const isNamed = policy.scope.namespaces.includes(namespace);
  return systemNamespaces.includes(namespace) && !isNamed ? [{ kind: 'SystemNamespace' }] : [];
};

export const optedOut: Check<'OptedOut'> = ({ pod }) =>
  optsOut(pod.annotations) ? [{ kind: 'OptedOut', key: ownKeys.skip }] : [];

/** Whether the owner of a pod or a namespace wants the sweeper to leave it alone: any value that does not say no opts out. */
export function optsOut(annotations: Readonly<Record<string, string>>): boolean {
  const skip = annotation(annotations, ownKeys.skip);
  return skip !== undefined && !saysNo(skip);
}

/** The API server has only a mirror of a static pod: deleting or patching it does not affect containers. */
export const staticPod: Check<'StaticPod'> = ({ pod }) => {
  const isMirror = annotation(pod.annotations, mirrorPodKey) !== undefined;
  return isMirror || pod.owner?.kind === 'Node' ? [{ kind: 'StaticPod' }] : [];
};

/** A pod that does not say so may run there all the same, by its affinity or because there are no other nodes. */
export const windows: Check<'Windows'> = ({ pod, facts }) => {
  const platform = facts.platforms.get(pod.node ?? '') ?? '';
  return pod.os === 'windows' || isWindows(platform) ? [{ kind: 'Windows' }] : [];
};

/** Whether a node's platform is `windows/amd64` or the like. */
export function isWindows(platform: string): boolean {
  return platform.startsWith('windows/');
}
