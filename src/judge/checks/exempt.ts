import { annotation, mirrorPodKey, ownKeys } from '../../pod/annotations.ts';
import type { Check } from './subject.ts';

const systemNamespaces: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease'];
/** What Go's `strconv.ParseBool`, which Kubernetes uses, reads as false. Any other value opts the pod out. */
const falseValues: readonly string[] = ['0', 'f', 'F', 'false', 'False', 'FALSE'];

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

export const optedOut: Check<'OptedOut'> = ({ pod }) => {
  const skip = annotation(pod.annotations, ownKeys.skip);
  if (skip === undefined || falseValues.includes(skip.trim())) return [];
  return [{ kind: 'OptedOut', key: ownKeys.skip }];
};

/** The API server has only a mirror of a static pod: deleting or patching it does not affect containers. */
export const staticPod: Check<'StaticPod'> = ({ pod }) => {
  const isMirror = annotation(pod.annotations, mirrorPodKey) !== undefined;
  return isMirror || pod.owner?.kind === 'Node' ? [{ kind: 'StaticPod' }] : [];
};

export const windows: Check<'Windows'> = ({ pod }) => (pod.os === 'windows' ? [{ kind: 'Windows' }] : []);
