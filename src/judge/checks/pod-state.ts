import type { Check } from './subject.ts';

export const beingDeleted: Check<'BeingDeleted'> = ({ pod }) =>
  pod.deleting ? [{ kind: 'BeingDeleted' }] : [];

export const notRunning: Check<'NotRunning'> = ({ pod }) =>
  pod.phase === 'Running'
    ? []
    : [{ kind: 'NotRunning', phase: pod.phase, ...(pod.reason !== undefined && { reason: pod.reason }) }];

/**
 * If a kubelet stops answering, the status of its pods goes stale, and their conditions do not show it: the
 * node controller sets Ready to False, but a pod with an ended container is not Ready anyway. Only the Node
 * shows it, or the reason NodeLost, which the node controller sets on a pod when it gives up on the node.
 */
export const nodeNotReady: Check<'NodeNotReady'> = ({ pod, facts }) => {
  if (pod.node === undefined) return [];
  const reason = facts.unreadyNodes.get(pod.node) ?? (pod.reason === 'NodeLost' ? pod.reason : undefined);
  return reason === undefined ? [] : [{ kind: 'NodeNotReady', node: pod.node, reason }];
};
