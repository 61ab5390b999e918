import { annotation, mirrorPodKey, ownKeys } from '../annotations.ts';
import type { Check } from './subject.ts';

const systemNamespaces: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease'];
/** What Kubernetes' own parser takes for false; anything else on an opt-out is taken for a wish to be left alone. */
const saysNo: readonly string[] = ['0', 'f', 'F', 'false', 'False', 'FALSE'];

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
  return skip === undefined || saysNo.includes(skip.trim()) ? [] : [{ kind: 'OptedOut', key: ownKeys.skip }];
};

/** The API server shows the kubelet's own pods, and deleting or patching them there changes nothing. */
export const staticPod: Check<'StaticPod'> = ({ pod }) => {
  const isMirror = annotation(pod.annotations, mirrorPodKey) !== undefined;
  return isMirror || pod.owner?.kind === 'Node' ? [{ kind: 'StaticPod' }] : [];
};

export const windows: Check<'Windows'> = ({ pod }) => (pod.os === 'windows' ? [{ kind: 'Windows' }] : []);
