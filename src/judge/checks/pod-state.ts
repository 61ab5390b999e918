import type { Check } from './subject.ts';

export const beingDeleted: Check<'BeingDeleted'> = ({ pod }) =>
  pod.deleting ? [{ kind: 'BeingDeleted' }] : [];

export const notRunning: Check<'NotRunning'> = ({ pod }) =>
  pod.phase === 'Running' ? [] : [{ kind: 'NotRunning', phase: pod.phase }];

/**
 * A kubelet that does not answer leaves the status of its pods as it was, and the pods' own conditions do not tell:
 * the node controller sets Ready to False, which a pod with an ended container has anyway. Only the node says so, or
 * the reason that it writes on a pod when it has given up the node.
 */
export const nodeNotReady: Check<'NodeNotReady'> = ({ pod, facts }) => {
  if (pod.node === undefined) return [];
  const reason = facts.unreadyNodes.get(pod.node) ?? (pod.reason === 'NodeLost' ? pod.reason : undefined);
  return reason === undefined ? [] : [{ kind: 'NodeNotReady', node: pod.node, reason }];
};
